import type { Flag } from './flags.ts';

/** When blocks are made, and of what. */
export const MINING_FLAGS: readonly Flag[] = [
  {
    flags: '-b, --block-time <seconds>',
    option: 'blockTime',
    kind: 'number',
    help: 'time between blocks, fractions allowed (2)',
    aliases: ['--blockTime'],
  },
  {
    flags: '--flashblock-interval <ms>',
    option: 'flashblockInterval',
    kind: 'number',
    help: 'time between partial blocks, 0 for none (200)',
  },
  {
    flags: '--automine',
    option: 'automine',
    kind: 'flag',
    help: 'a block per transaction, sealed before the send is answered',
  },
  {
    flags: '--no-mining',
    option: 'noMining',
    kind: 'flag',
    help: 'blocks only on demand',
    aliases: ['--no-mine'],
  },
  {
    flags: '--mixed-mining',
    option: 'mixedMining',
    kind: 'flag',
    help: 'a block per transaction and at each block time',
  },
  {
    flags: '--preset <network>',
    option: 'preset',
    kind: 'text',
    help: 'timing of optimism, unichain, base or base-denim',
  },
  {
    flags: '--compat <node>',
    option: 'compat',
    kind: 'text',
    help: 'answer like anvil, hardhat (Hardhat 3) or hardhat2; implies --automine',
  },
  { flags: '--order <order>', option: 'order', kind: 'text', help: 'fees or fifo (fees)' },
  {
    flags: '--max-transactions <n>',
    option: 'maxTransactions',
    kind: 'number',
    help: 'most transactions in a block (as many as its gas holds)',
  },
  {
    flags: '--allow-equal-timestamps',
    option: 'allowEqualTimestamps',
    kind: 'flag',
    help: 'blocks may share a timestamp',
  },
  {
    flags: '--max-pool-size <n>',
    option: 'maxPoolSize',
    kind: 'number',
    help: 'most transactions that wait (50000)',
  },
  {
    flags: '--manual-clock',
    option: 'manualClock',
    kind: 'flag',
    help: 'chain time moves only when told to',
  },
  {
    flags: '--record <file>',
    option: 'record',
    kind: 'text',
    help: 'write all that changes the chain to this file, for devnet replay',
  },
];
