import type { Address } from '@ethereumjs/util';
import type { Recover } from '../../protocol/crypto.ts';
import type { CountedGas, GasDimensions } from '../../protocol/types.ts';
import type { Awaitable, StateView } from '../../state/view.ts';
import type { Fault } from './faults.ts';

/** An account without its storage and code. */
export interface AccountFields {
  readonly nonce: bigint;
  /** wei */
  readonly balance: bigint;
  readonly codeHash: Uint8Array;
  readonly storageRoot: Uint8Array;
}

/** The source of state that the executor hasn't loaded yet. */
export interface OutsideState extends StateView {
  /** RLP of a node of the state trie or a storage trie; absent = state roots aren't computed */
  getNode?(hash: Uint8Array): Awaitable<Uint8Array | undefined>;
  /** The state on which the tries are based, if they contain only the differences from it; `undefined` if they contain a whole state. */
  readonly other?: StateView | undefined;
  /** Whether tries of differences have all fields of an account that was just read; absent = the tries contain a whole state. */
  differs?(address: Address): boolean;
}

/** For BLOCKHASH: the hash of one of the 256 blocks before the open block. */
export type AncestorHashOf = (number: bigint) => Awaitable<Uint8Array | undefined>;

export interface ExecutorOptions {
  readonly chainId: bigint;
  /** whether it will be closed soon, so that a large instance may be used; default false */
  readonly isForOneRun?: boolean;
  /** whether a listener can watch each step of its runs; default false */
  readonly tellsSteps?: boolean;
  /** whether it counts all opcodes that it runs, unless a listener watches the steps; default false */
  readonly counts?: boolean;
}

export interface ExecutorDeps {
  /** recovers the public key of a signature */
  readonly recover: Recover;
  /** absent = the executor has the whole state, and everything else is empty */
  readonly source?: OutsideState;
}

/** The fields of a block that are known before its first transaction. Byte strings have 32 bytes unless stated otherwise. */
export interface StartFields {
  readonly number: bigint;
  /** seconds */
  readonly timestamp: bigint;
  readonly gasLimit: bigint;
  /** 20 bytes */
  readonly coinbase: Uint8Array;
  /** wei per gas */
  readonly baseFeePerGas: bigint;
  /** wei per blob gas */
  readonly blobBaseFee: bigint;
  readonly excessBlobGas: bigint;
  readonly prevRandao: Uint8Array;
  /** above 0 only before the merge */
  readonly difficulty: bigint;
  /** 8 bytes; absent = zeros */
  readonly nonce?: Uint8Array | undefined;
  readonly parentHash: Uint8Array;
  readonly parentBeaconBlockRoot: Uint8Array;
  /** at most 32 bytes */
  readonly extraData: Uint8Array;
  /** EIP-7843; absent before Amsterdam */
  readonly slotNumber?: bigint | undefined;
}

/** EIP-4895 */
export interface Withdrawal {
  readonly index: bigint;
  readonly validatorIndex: bigint;
  /** 20 bytes */
  readonly address: Uint8Array;
  /** gwei */
  readonly amount: bigint;
}

/** A log that code has emitted. */
export interface ExecutorLog {
  /** 20 bytes */
  readonly address: Uint8Array;
  readonly topics: readonly Uint8Array[];
  readonly data: Uint8Array;
  /** index among all logs that the transaction emitted, including those of reverted frames */
  readonly emission: number;
  /** true for a transfer of ETH in the form of a log: no contract emitted it, and no receipt contains it */
  readonly transfer?: true;
}

/** The result of a transaction or a call. */
export interface Execution {
  readonly kind: 'executed';
  /** EthereumJS's name of the halt, or `revert`; absent = success */
  readonly halt?: string;
  /** after refunds */
  readonly gasUsed: bigint;
  readonly gasBeforeRefund: bigint;
  /** since Amsterdam */
  readonly counted?: CountedGas;
  readonly dimensions?: GasDimensions;
  /** return data, or the data of the revert */
  readonly returnData: Uint8Array;
  /** 20 bytes */
  readonly createdAddress?: Uint8Array;
  /** wei per gas */
  readonly effectiveGasPrice: bigint;
  readonly blobGasUsed: bigint;
  readonly logs: readonly ExecutorLog[];
  /** number of all logs that were emitted, including those of reverted frames */
  readonly emittedLogs: number;
  /** only for a deposit: the sender's nonce before it */
  readonly depositNonce?: bigint;
}

/** The rejection of a transaction that can't be in the block; the state is unchanged. */
export interface Refusal {
  readonly kind: 'invalid';
  readonly fault: Fault;
}
