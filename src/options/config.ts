import type { Dialect } from '../rpc/compat/shapes.ts';
import type { MiningMode } from '../sequencer/mining/mode.ts';
import type { ForkOptions } from './fork.ts';
import type { GenesisSpec } from './genesis-file.ts';
import type { StateFiles } from './state-files.ts';
import type { FORK } from './table/fork.ts';
import type { Values } from './table.ts';

/** Options that {@link Config} has in another form. */
type Combined =
  | keyof typeof FORK
  | ServerLimit
  | 'noCors'
  | 'allowOrigin'
  | 'balance'
  | 'mnemonic'
  | 'derivationPath'
  | 'accounts'
  | 'init'
  | 'create2'
  | 'noCreate2'
  | 'disableCodeSizeLimit'
  | 'disableMinPriorityFee'
  | 'enableTxGasLimit'
  | 'disableTxGasLimit'
  | 'blockTime'
  | 'flashblockInterval'
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
  | 'disableConsoleLog';

type ServerLimit =
  | 'maxBodySize'
  | 'maxBatchSize'
  | 'maxResponseSize'
  | 'maxSubscriptions'
  | 'maxFilters'
  | 'notificationBuffer'
  | 'sendBuffer'
  | 'flashblockBuffer'
  | 'rpcTimeout'
  | 'callGasLimit'
  | 'maxPoolSize';

/**
 * Validated options with all defaults applied: what the actors are built from. An option has its own name here, unless
 * several options decide one thing together.
 */
export interface Config extends Omit<Values, Combined> {
  /** false = no CORS headers */
  readonly allowOrigin: string | false;
  readonly limits: {
    /** bytes */
    readonly bodySize: number;
    readonly batchSize: number;
    /** bytes */
    readonly responseSize: number;
    /** of one connection */
    readonly subscriptions: number;
    readonly filters: number;
    /** bytes */
    readonly notificationBuffer: number;
    /** bytes */
    readonly sendBuffer: number;
    /** messages */
    readonly flashblockBuffer: number;
    /** milliseconds; 0 = none */
    readonly rpcTimeout: number;
    readonly callGas: bigint;
    readonly poolSize: number;
  };
  readonly accounts: {
    readonly count: number;
    /** wei */
    readonly balance: bigint;
    readonly mnemonic: string;
    readonly derivationPath: string;
  };
  /** instead of the built-in one */
  readonly genesis?: GenesisSpec;
  /** the chain that this one is forked from, instead of a genesis of its own */
  readonly fork?: ForkOptions;
  /** whether the user gave these options: otherwise those of a forked chain are used */
  readonly asked: { readonly chainId: boolean; readonly gasLimit: boolean };
  /** Blocks get their parent's gas limit: on a chain with a genesis file or a forked one, where none was given. */
  readonly keepsGasLimit: boolean;
  /** of the block after the forked one, instead of what EIP-1559 says; wei per gas */
  readonly nextBaseFee?: bigint;
  /** wei per gas offered to the block's producer where the sender doesn't say */
  readonly suggestedTip: bigint;
  /** whether EIP-7825's cap on a transaction's gas is enforced */
  readonly transactionGasCap: boolean;
  readonly mining: MiningMode;
  /** the node whose answers are given where nodes differ */
  readonly dialect: Dialect;
  /** Where each send is mined at once, a nonce that leaves a gap is refused. */
  readonly refusesGaps: boolean;
  readonly allowEqualTimestamps: boolean;
  /** whether the genesis block has it */
  readonly create2Deployer: boolean;
  readonly stateFiles: StateFiles;
  /** the options that decide hashes, as a recording has them */
  readonly recorded: () => Readonly<Record<string, unknown>>;
  /** blocks; absent = all are kept */
  readonly pruneHistory?: bigint;
  readonly consoleLog: boolean;
}
