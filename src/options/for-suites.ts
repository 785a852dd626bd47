import type { DevnetOptions } from './table.ts';

/** Options that determine when blocks are made. */
const MODES = [
  'automine',
  'noMining',
  'mixedMining',
  'preset',
  'blockTime',
  'flashblockInterval',
  'import',
] as const satisfies readonly (keyof DevnetOptions)[];

/** Adds the defaults of a chain for a test suite: a block for each transaction, unless a mining mode is given. */
export function forSuites(options: DevnetOptions): DevnetOptions {
  return MODES.some((mode) => options[mode] !== undefined) ? options : { automine: true, ...options };
}
