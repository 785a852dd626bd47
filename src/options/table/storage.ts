import { flagOption, option } from '../option.ts';
import { text, whole } from '../value-types.ts';

/** Where the chain is stored. */
export const STORAGE = {
  /** Directory in which to store the chain. Default: a temporary one, removed at exit. */
  dataDir: option({
    flags: '--data-dir <dir>',
    help: 'keep the chain in this directory',
    type: text,
    recorded: false,
  }),
  /** File in anvil's format: the chain starts from it if it exists, and is written to it at the end. */
  state: option({
    flags: '--state <file>',
    help: "begin with the chain in this file in anvil's format, if it is there, and write it at the end",
    type: text,
    recorded: 'refused',
  }),
  /** File in anvil's format from which a new chain starts: with its blocks, and its accounts as the newest state. */
  loadState: option({
    flags: '--load-state <file>',
    help: 'begin with the chain in this file',
    type: text,
    recorded: 'refused',
  }),
  /** File to which the chain is written at the end, in anvil's format: its blocks and the newest state. */
  dumpState: option({
    flags: '--dump-state <file>',
    help: 'write the chain to this file at the end',
    type: text,
    recorded: false,
  }),
  /** Also write the file of `state` or `dumpState` every so many seconds while the chain runs. Default: only at the end. */
  stateInterval: option({
    flags: '-s, --state-interval <seconds>',
    help: 'also write the file of --state or --dump-state every n seconds',
    type: whole(1, 1_000_000),
    recorded: false,
  }),
  /** Also write old states to the file of `state` or `dumpState`, so that they can be read after it is loaded. */
  preserveHistoricalStates: flagOption({
    flags: '--preserve-historical-states',
    help: 'write old states to the file of --state or --dump-state too',
    recorded: false,
  }),
  /** File to which the accounts, their private keys and the fees are written at the start, as JSON in anvil's format. */
  configOut: option({
    flags: '--config-out <file>',
    help: "write accounts, keys and fees to this file at the start, in anvil's format",
    type: text,
    recorded: false,
  }),
  /** Number of newest blocks to keep (at least 1), in addition to the genesis block. The chain can't be reverted to older blocks. */
  pruneHistory: option({
    flags: '--prune-history <n>',
    help: 'keep the last n blocks and the genesis block only (all)',
    type: whole(1, Number.MAX_SAFE_INTEGER),
  }),
  /** Wait for the disk at each block, so that the chain also survives a power loss. */
  fsync: flagOption({
    flags: '--fsync',
    help: 'sync to disk at each block, to survive a power loss',
    recorded: false,
  }),
  /** Repair a damaged `dataDir` by reverting to its last complete block. */
  repair: flagOption({
    flags: '--repair',
    help: 'fall back to the last whole block of a damaged --data-dir',
    recorded: false,
  }),
};
