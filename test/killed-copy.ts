import { cpSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Copies what a kill at this moment would leave: the files of a data directory that is in use.
 * @returns false when LevelDB's own thread changed them while they were copied
 */
export function tryCopyAsKilled(dir: string, copy: string): boolean {
  const files = filesOf(dir);
  try {
    cpSync(dir, copy, { recursive: true, filter: (path) => !path.endsWith('LOCK') });
  } catch {
    return false;
  }
  return files !== undefined && files === filesOf(dir);
}

/** Does that until LevelDB's thread left the files alone. */
export function copyAsKilled(dir: string, copy: string): void {
  while (!tryCopyAsKilled(dir, copy)) rmSync(copy, { recursive: true, force: true });
}

/** Names, sizes and times of the files; undefined when they change while they are looked at. */
function filesOf(dir: string): string | undefined {
  try {
    const names = readdirSync(dir, { recursive: true }) as string[];
    return names
      .map((name) => [name, statSync(join(dir, name)).size, statSync(join(dir, name)).mtimeMs].join())
      .join();
  } catch {
    return undefined;
  }
}
