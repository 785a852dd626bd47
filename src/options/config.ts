import type { ForkCacheOptions } from '../fork-cache/fork-cache.ts';
import type { Dialect } from '../rpc/compat/shapes.ts';
import type { MiningMode } from '../sequencer/mining/mode.ts';
import type { ForkOptions } from './fork.ts';
import type { GenesisSpec } from './genesis-file.ts';
import type { StateFiles } from './state-files.ts';
import type { FORK } from './table/fork.ts';
import type { Values } from './table.ts';

/** Options that {@link Config} has in another form, or combined with others. */
type Combined =
  | keyof typeof FORK
  | 'noCors'
  | 'allowOrigin'
  | 'init'
  | 'create2'
  | 'noCreate2'
  | 'disableCodeSizeLimit'
  | 'disableMinPriorityFee'
  | 'enableTxGasLimit'
  | 'disableTxGasLimit'
  | 'blockTime'
  | 'automine'
  | 'noMining'
  | 'mixedMining'
  | 'compat'
  | 'state'
  | 'loadState'
  | 'dumpState'
  | 'stateInterval'
  | 'preserveHistoricalStates'
  | 'pruneHistory'
  | 'depositsOnly'
  | 'disableConsoleLog';

/** Validated options, including all defaults. An option has its own name here, unless several options determine one value. */
export interface Config extends Omit<Values, Combined> {
  /** false: no CORS headers */
  readonly allowOrigin: string | false;
  /** replaces the built-in genesis */
  readonly genesis?: GenesisSpec;
  /** the chain that this one is forked from; the genesis block is then one of that chain's blocks */
  readonly fork?: ForkOptions;
  /** where data fetched for a forked chain is cached; absent: not cached */
  readonly forkCache?: ForkCacheOptions;
  /** whether the user gave these options; if not, a fork takes all but `compat` and `logLevel` from the other chain */
  readonly asked: Readonly<
    Record<'chainId' | 'hardfork' | 'gasLimit' | 'extraData' | 'compat' | 'logLevel', boolean>
  >;
  /** Blocks keep their parent's gas limit. True with a genesis file or a fork, unless `gasLimit` was given. */
  readonly keepsGasLimit: boolean;
  /** base fee of the first block on a fork, wei per gas; if absent, it follows from EIP-1559 */
  readonly nextBaseFee?: bigint;
  /** priority fee of transactions that the node makes without one, wei per gas */
  readonly suggestedTip: bigint;
  /** Whether the block after one with a base fee of zero also has a base fee of zero: see `ChainRules.zeroBaseFeeStays`. */
  readonly zeroBaseFeeStays: boolean;
  /** whether EIP-7825's cap on the gas of one transaction is enforced */
  readonly transactionGasCap: boolean;
  readonly mining: MiningMode;
  /** milliseconds between partial blocks, used when a mode with an interval is switched on; 0 = none */
  readonly flashblockInterval: number;
  /**
   * If `anvil_mine` is given a time between blocks: whether the first block also has that distance from its parent, as in anvil. In Hardhat
   * only the blocks after it have.
   */
  readonly spacesFirstBlock: boolean;
  /** the node whose answers and error messages are imitated where nodes differ */
  readonly dialect: Dialect;
  /** Whether modes that mine each transaction at once reject a transaction with a nonce gap. */
  readonly refusesGaps: boolean;
  readonly allowEqualTimestamps: boolean;
  /** whether the genesis block contains the create2 deployer */
  readonly create2Deployer: boolean;
  /** Whether all rules of the OP Stack apply, not only those of deposits and fee vaults. */
  readonly rollup: boolean;
  readonly stateFiles: StateFiles;
  /** returns the options that block hashes depend on, in the format of a recording */
  readonly recorded: () => Readonly<Record<string, unknown>>;
  /** how many blocks are kept; absent: all */
  readonly pruneHistory?: bigint;
  readonly consoleLog: boolean;
}
