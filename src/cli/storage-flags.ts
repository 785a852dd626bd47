import type { Flag } from './flags.ts';

/** Where the chain is kept. */
export const STORAGE_FLAGS: readonly Flag[] = [
  { flags: '--data-dir <dir>', option: 'dataDir', kind: 'text', help: 'keep the chain in this directory' },
  {
    flags: '--state <file>',
    option: 'state',
    kind: 'text',
    help: "begin with the chain in this file in anvil's format, if it is there, and write it at the end",
  },
  {
    flags: '--load-state <file>',
    option: 'loadState',
    kind: 'text',
    help: 'begin with the chain in this file',
  },
  {
    flags: '--dump-state <file>',
    option: 'dumpState',
    kind: 'text',
    help: 'write the chain to this file at the end',
  },
  {
    flags: '-s, --state-interval <seconds>',
    option: 'stateInterval',
    kind: 'number',
    help: 'write that file every so many seconds too',
  },
  {
    flags: '--preserve-historical-states',
    option: 'preserveHistoricalStates',
    kind: 'flag',
    help: 'write old states to that file too',
  },
  {
    flags: '--config-out <file>',
    option: 'configOut',
    kind: 'text',
    help: "write accounts, keys and fees to this file at the start, in anvil's format",
  },
  {
    flags: '--prune-history <n>',
    option: 'pruneHistory',
    kind: 'number',
    help: 'keep the last n blocks and the genesis block only (all)',
  },
  { flags: '--fsync', option: 'fsync', kind: 'flag', help: 'survive power loss too' },
  {
    flags: '--repair',
    option: 'repair',
    kind: 'flag',
    help: 'fall back to the last whole block of a damaged directory',
  },
];
