import type { Address } from '@ethereumjs/util';
import type { HardforkName } from '../evm/hardfork.ts';
import type { Dialect } from '../rpc/compat/shapes.ts';
import type { MiningMode } from '../sequencer/mining/mode.ts';
import type { ForkOptions } from './fork.ts';
import type { GenesisSpec } from './genesis-file.ts';
import type { Preset } from './presets.ts';
import type { StateFiles } from './state-files.ts';

/** Validated options with all defaults applied: what the actors are built from. */
export interface Config {
  readonly port: number;
  readonly host: string;
  /** path */
  readonly ipc?: string;
  readonly allowHost: readonly string[];
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
  readonly autoImpersonate: boolean;
  readonly chainId: bigint;
  readonly hardfork: HardforkName;
  /** deposits, and the fee vaults of the OP Stack */
  readonly optimism: boolean;
  /** instead of the built-in one */
  readonly genesis?: GenesisSpec;
  /** the chain that this one goes on from, instead of a genesis of its own */
  readonly fork?: ForkOptions;
  /** what was asked for, whatever that of a forked chain is */
  readonly asked: { readonly chainId: boolean; readonly gasLimit: boolean };
  /** path of a chain file */
  readonly import?: string;
  readonly gasLimit: bigint;
  /** blocks get their parent's gas limit: on a chain from outside, where none was asked for */
  readonly keepsGasLimit: boolean;
  /** wei per gas */
  readonly baseFee: bigint;
  /** of the block after the forked one, instead of what EIP-1559 says; wei per gas */
  readonly nextBaseFee?: bigint;
  /** wei per gas */
  readonly minGasPrice: bigint;
  /** wei per gas, before London */
  readonly gasPrice: bigint;
  /** of the genesis block */
  readonly number: bigint;
  /** wei per gas offered to the block's producer where nobody says otherwise */
  readonly suggestedTip: bigint;
  /** seconds; absent = when the chain starts */
  readonly timestamp?: bigint;
  readonly seed: string;
  readonly extraData: Uint8Array;
  readonly coinbase: Address;
  /** EIP-7825 */
  readonly transactionGasCap: boolean;
  readonly slotsInAnEpoch: number;
  readonly mining: MiningMode;
  readonly preset?: Preset;
  /** whose answers are given where nodes differ */
  readonly dialect: Dialect;
  /** Where each send is mined at once, a nonce that leaves a gap is refused. */
  readonly refusesGaps: boolean;
  readonly simulateStateRoot: boolean;
  readonly order: 'fees' | 'fifo';
  /** in a block */
  readonly maxTransactions: number;
  readonly allowEqualTimestamps: boolean;
  readonly manualClock: boolean;
  readonly fundAccounts: readonly { readonly address: Address; readonly balance: bigint }[];
  readonly create2Deployer: boolean;
  readonly multicall3: boolean;
  /** bytes; absent = EIP-170's */
  readonly codeSizeLimit?: number;
  readonly stateFiles: StateFiles;
  /** path of a recording */
  readonly record?: string;
  /** the options that decide hashes, as a recording has them */
  readonly recorded: () => Readonly<Record<string, unknown>>;
  readonly dataDir?: string;
  readonly fsync: boolean;
  /** blocks; absent = all are kept */
  readonly pruneHistory?: bigint;
  readonly repair: boolean;
  /** path */
  readonly configOut?: string;
  readonly silent: boolean;
  readonly consoleLog: boolean;
  readonly printTraces: boolean;
}
