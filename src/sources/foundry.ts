import type { Bare } from './build-folder.ts';
import type { Compilation } from './compilation.ts';

export async function readFoundry(
  _root: string,
  _builds: readonly Bare[],
  _state: string,
): Promise<{ readonly state: string; readonly compilations: readonly Compilation[] }> {
  return { state: '', compilations: [] };
}
