import type { ForkCacheOptions } from '../fork-cache/fork-cache.ts';
import type { Dialect } from '../rpc/compat/shapes.ts';
import type { MiningMode } from '../sequencer/mining/mode.ts';
import type { ForkOptions } from './fork.ts';
import type { GenesisSpec } from './genesis-file.ts';
import type { StateFiles } from './state-files.ts';
import type { FORK } from './table/fork.ts';
import type { Values } from './table.ts';

/** Options that {@link Config} has in another form, together with others. */
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

/** Validated options with all defaults. An option has its own name here, unless several options decide one thing. */
export interface Config extends Omit<Values, Combined> {
  /** false: no CORS headers */
  readonly allowOrigin: string | false;
  /** replaces the built-in genesis */
  readonly genesis?: GenesisSpec;
  /** the chain that this one is forked from; the genesis block is then one of that chain's blocks */
  readonly fork?: ForkOptions;
  /** where what is fetched for a forked chain is kept; absent: nowhere */
  readonly forkCache?: ForkCacheOptions;
  /** whether the user gave these options; if not, a fork takes all but `compat` from the other chain */
  readonly asked: Readonly<
    Record<'chainId' | 'hardfork' | 'gasLimit' | 'extraData' | 'compat' | 'logLevel', boolean>
  >;
  /** Blocks keep their parent's gas limit. True with a genesis file or a fork, unless `gasLimit` was given. */
  readonly keepsGasLimit: boolean;
  /** base fee of the first block on a fork, wei per gas; absent: follows from EIP-1559 */
  readonly nextBaseFee?: bigint;
  /** wei per gas; priority fee of transactions that the node makes without one */
  readonly suggestedTip: bigint;
  /** The block after one without base fee has none either: see `ChainRules.zeroBaseFeeStays`. */
  readonly zeroBaseFeeStays: boolean;
  /** enforces EIP-7825's cap on the gas of one transaction */
  readonly transactionGasCap: boolean;
  readonly mining: MiningMode;
  /** milliseconds between partial blocks, for when a mode with an interval is switched on; 0 = none */
  readonly flashblockInterval: number;
  /**
   * Where `anvil_mine` is given a time between blocks, the first block has that distance from its parent as well, as in anvil.
   * In Hardhat it is between the blocks that are mined.
   */
  readonly spacesFirstBlock: boolean;
  /** whose answers and error messages are given where nodes differ */
  readonly dialect: Dialect;
  /** In modes that mine each send at once, refuses a transaction with a nonce gap. */
  readonly refusesGaps: boolean;
  readonly allowEqualTimestamps: boolean;
  /** whether the genesis block contains the create2 deployer */
  readonly create2Deployer: boolean;
  /** All rules of the OP Stack apply, not only those of deposits and vaults. */
  readonly rollup: boolean;
  readonly stateFiles: StateFiles;
  /** the options that block hashes depend on, in the form of a recording */
  readonly recorded: () => Readonly<Record<string, unknown>>;
  /** how many blocks are kept; absent: all */
  readonly pruneHistory?: bigint;
  readonly consoleLog: boolean;
}
