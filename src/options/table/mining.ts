import type { Compat } from '../../rpc/compat/shapes.ts';
import { flagOption, option } from '../option.ts';
import { preset } from '../presets.ts';
import { flag, number, oneOf, text, whole } from '../value-types.ts';

/** seconds */
const DAY = 86_400;

/** When blocks are made, and what they contain. */
export const MINING = {
  /** Seconds between blocks; fractions are allowed. Default 2. */
  blockTime: option({
    flags: '-b, --block-time <seconds>',
    aliases: ['--blockTime'],
    help: 'time between blocks, fractions allowed (2)',
    type: number(0.001, DAY),
    default: 2,
  }),
  /** Milliseconds between partial blocks (flashblocks); 0 for none. Default 200; 0 with `compat: 'hardhat'` and `'hardhat2'`. */
  flashblockInterval: option({
    flags: '--flashblock-interval <ms>',
    help: 'time between partial blocks, 0 for none (200; 0 with --compat hardhat)',
    type: whole(0, 1000 * DAY),
    default: 200,
    hardhat: 0,
  }),
  /** Make a block for each transaction, and seal it before the send is answered. */
  automine: flagOption({
    flags: '--automine',
    help: 'a block per transaction, sealed before the send is answered',
  }),
  /** Make blocks only on demand (`evm_mine`). */
  noMining: flagOption({
    flags: '--no-mining',
    aliases: ['--no-mine'],
    help: 'blocks only on demand',
  }),
  /** Make a block for each transaction, and also at each block time. */
  mixedMining: flagOption({
    flags: '--mixed-mining',
    help: 'a block per transaction and at each block time',
  }),
  /**
   * Timing and fee parameters of a known network; implies `optimism`. `base` is Base since its Denim upgrade: full blocks every 200 ms, and
   * EIP-7825's cap of 2^24 gas per transaction. `base-flashblocks` is Base before this upgrade.
   */
  preset: option({
    flags: '--preset <network>',
    help: 'an OP chain with the timing and fees of optimism, unichain, base or base-flashblocks',
    type: preset,
  }),
  /**
   * Node to imitate: its return values, error messages and defaults; implies `automine` unless a block time is given. `hardhat` is Hardhat
   * 3, `hardhat2` is Hardhat 2. Hardhat's defaults: 20 accounts, 60 million gas per block, 2^24 per transaction, its coinbase, `safe` and
   * `finalized` at `latest`, neither the create2 deployer nor Multicall3.
   */
  compat: option({
    flags: '--compat <node>',
    help: 'answer like anvil, hardhat (Hardhat 3) or hardhat2; implies --automine',
    type: oneOf<Compat>(['anvil', 'hardhat', 'hardhat2']),
  }),
  /** Order of transactions in a block: by effective tip (`fees`), or by arrival (`fifo`). Default `fees`. */
  order: option({
    flags: '--order <order>',
    help: 'fees or fifo (fees)',
    type: oneOf(['fees', 'fifo']),
    default: 'fees',
  }),
  /** Maximum number of transactions that a block takes from the mempool. Default: limited only by gas. */
  maxTransactions: option({
    flags: '--max-transactions <n>',
    help: 'maximum number of transactions in a block (as many as its gas limit allows)',
    type: whole(1, 1_000_000),
    default: Number.POSITIVE_INFINITY,
  }),
  /**
   * Allow blocks to have the same timestamp as their parent. Default: on for `compat: 'anvil'`, preset `base` and block times under 1 s.
   */
  allowEqualTimestamps: option({
    flags: '--allow-equal-timestamps',
    help: 'blocks may share a timestamp',
    type: flag,
  }),
  /** Maximum number of waiting transactions in the mempool. Default 50,000. */
  maxPoolSize: option({
    flags: '--max-pool-size <n>',
    help: 'maximum number of transactions in the mempool (50000)',
    type: whole(1, 10_000_000),
    default: 50_000,
  }),
  /** Advance chain time only by calls (`devnet_tick`); for tests and replay. */
  manualClock: flagOption({
    flags: '--manual-clock',
    help: 'chain time advances only by devnet_tick',
    recorded: false,
  }),
  /** File in which to record everything that changes the chain, for `devnet replay`. It is created, or continued after a clean end. */
  record: option({
    flags: '--record <file>',
    help: 'write all that changes the chain to this file, for devnet replay',
    type: text,
    recorded: false,
  }),
};
