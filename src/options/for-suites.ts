import type { DevnetOptions } from './table.ts';

/** Options that say when blocks are made. */
const MODES = [
  'automine',
  'noMining',
  'mixedMining',
  'preset',
  'blockTime',
  'flashblockInterval',
  'import',
] as const satisfies readonly (keyof DevnetOptions)[];

/** Options of a chain for a test suite: a block for each transaction, unless a mode is named. */
export function forSuites(options: DevnetOptions): DevnetOptions {
  return MODES.some((mode) => options[mode] !== undefined) ? options : { automine: true, ...options };
}
