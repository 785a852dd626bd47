import { flagOption, option } from '../option.ts';
import { text, whole } from '../value-types.ts';

/** Where the chain is kept. */
export const STORAGE = {
  /** Directory that keeps the chain. Default: a temporary one, removed at exit. */
  dataDir: option({
    flags: '--data-dir <dir>',
    help: 'keep the chain in this directory',
    type: text,
    recorded: false,
  }),
  /** File in anvil's format: the chain begins with it where it exists, and is written to it at the end. */
  state: option({
    flags: '--state <file>',
    help: "begin with the chain in this file in anvil's format, if it is there, and write it at the end",
    type: text,
    recorded: 'refused',
  }),
  /** File in anvil's format that a new chain begins with: its blocks, and its accounts as the newest state. */
  loadState: option({
    flags: '--load-state <file>',
    help: 'begin with the chain in this file',
    type: text,
    recorded: 'refused',
  }),
  /** File that the chain is written to at the end, in anvil's format: its blocks, and the newest state. */
  dumpState: option({
    flags: '--dump-state <file>',
    help: 'write the chain to this file at the end',
    type: text,
    recorded: false,
  }),
  /** Seconds after which the file of `state` or `dumpState` is written again while the chain runs. Default: at the end. */
  stateInterval: option({
    flags: '-s, --state-interval <seconds>',
    help: 'also write that file every n seconds',
    type: whole(1, 1_000_000),
    recorded: false,
  }),
  /** Write old states to the file of `state` or `dumpState` too, so that they can be read after it was loaded. */
  preserveHistoricalStates: flagOption({
    flags: '--preserve-historical-states',
    help: 'write old states to that file too',
    recorded: false,
  }),
  /** File that the accounts, their keys and the fees are written to at the start, as JSON in anvil's format. */
  configOut: option({
    flags: '--config-out <file>',
    help: "write accounts, keys and fees to this file at the start, in anvil's format",
    type: text,
    recorded: false,
  }),
  /** Keep only so many of the newest blocks, at least 1, and the genesis block. Older ones can't be gone back to. */
  pruneHistory: option({
    flags: '--prune-history <n>',
    help: 'keep the last n blocks and the genesis block only (all)',
    type: whole(1, Number.MAX_SAFE_INTEGER),
  }),
  /** Survive power loss too: wait for the disk at each block. */
  fsync: flagOption({
    flags: '--fsync',
    help: 'survive power loss too',
    recorded: false,
  }),
  /** Fall back to the last whole block of a damaged `dataDir`. */
  repair: flagOption({
    flags: '--repair',
    help: 'fall back to the last whole block of a damaged directory',
    recorded: false,
  }),
};
