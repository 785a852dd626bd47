import type { Address, EOACode7702AuthorizationListBytes } from '@ethereumjs/util';
import type { DevnetError } from '../errors.ts';
import type { Awaitable } from '../state/view.ts';

/** A log as the EVM emitted it. Block, transaction and index follow from its position. */
export interface Log {
  readonly address: Address;
  readonly topics: readonly Uint8Array[];
  readonly data: Uint8Array;
  /** true for a transfer of ETH in the form of a log (`traceTransfers`): no contract emitted it, and no receipt contains it */
  readonly transfer?: true;
  /** Index among all logs that the transaction emitted, including those of reverted frames; see `numberLogs`. */
  readonly emission?: number;
}

/** EIP-2930, decoded. Storage keys have 32 bytes. */
export type AccessList = readonly {
  readonly address: Address;
  readonly storageKeys: readonly Uint8Array[];
}[];

/**
 * The input of an execution: a signed transaction or a call object, in a common form. Fees are those that the sender offers; a message of
 * type 0 or 1 has `maxFeePerGas` = `maxPriorityFeePerGas` = its gas price.
 */
export interface Message {
  /** EIP-2718 type: 0 to 4, or 0x7e for a deposit */
  readonly type: number;
  readonly from: Address;
  /** absent = create */
  readonly to?: Address;
  readonly nonce: bigint;
  readonly gasLimit: bigint;
  /** wei */
  readonly value: bigint;
  readonly data: Uint8Array;
  /** wei per gas */
  readonly maxFeePerGas: bigint;
  /** wei per gas */
  readonly maxPriorityFeePerGas: bigint;
  readonly accessList: AccessList;
  /** EIP-4844 */
  readonly blobVersionedHashes?: readonly Uint8Array[];
  /** wei per blob gas */
  readonly maxFeePerBlobGas?: bigint;
  /** EIP-7702 tuples: chainId, address, nonce, yParity, r, s */
  readonly authorizationList?: EOACode7702AuthorizationListBytes;
  /** only for deposits; a deposit's nonce is its sender's nonce at execution, whatever `nonce` says */
  readonly deposit?: Deposit;
  /** EIP-2718 encoding; only for transactions. The OP Stack charges a fee for its bytes. */
  readonly raw?: Uint8Array;
}

/** The fields that only a deposit of the OP Stack has (specs.optimism.io/protocol/deposits.html). */
export interface Deposit {
  /** 32 bytes, unique for each deposit: on an OP chain they are derived from the deposit's position on L1 */
  readonly sourceHash: Uint8Array;
  /** wei credited to the sender first, and kept even if the rest of the deposit fails */
  readonly mint: bigint;
  /** Since Regolith a deposit with this flag fails. */
  readonly isSystemTransaction: boolean;
}

/** The block as the block opcodes and the fee rules see it. Fixed while a block is built. */
export interface BlockEnv {
  readonly number: bigint;
  /** seconds */
  readonly timestamp: bigint;
  readonly coinbase: Address;
  readonly gasLimit: bigint;
  /** above 0 only before the merge; since then the DIFFICULTY opcode returns `prevRandao` instead */
  readonly difficulty: bigint;
  readonly prevRandao: Uint8Array;
  /** wei per gas; absent before London */
  readonly baseFeePerGas?: bigint;
  /** wei per blob gas; absent before Cancun */
  readonly blobBaseFee?: bigint;
  /** EIP-7843; absent before Amsterdam */
  readonly slotNumber?: bigint;
  /** For BLOCKHASH: the hash of one of the 256 blocks before this one; called only for those. */
  blockHash(number: bigint): Awaitable<Uint8Array | undefined>;
}

/** The rules of a real transaction that are enforced. {@link TRANSACTION_RULES} enforces all of them; calls relax some. */
export interface Rules {
  /** The nonce must equal the account's. */
  readonly nonce: boolean;
  /**
   * The fee cap must reach the base fee, and the tip must not exceed the cap. If off, these are checked only for a message that offers a
   * fee. In any case the offered fee is charged, and the balance must cover the fee plus the value.
   */
  readonly fees: boolean;
  /** An offered fee must reach the base fee. When off, a message with a lower fee runs and pays no tip, as in anvil and Hardhat. */
  readonly baseFee: boolean;
  /** The sender must not have code other than a delegation (EIP-3607, EIP-7702). */
  readonly sender: boolean;
  /** EIP-7825's cap of 2^24 gas on one transaction. */
  readonly gasCap: boolean;
  /** Adds a log for each transfer of ETH, as `eth_simulateV1` defines for `traceTransfers`. */
  readonly transferLogs: boolean;
}

/** The gas that a transaction adds to the two counters of its block; the larger counter is the gas used in the header (EIP-8037). */
export interface CountedGas {
  /** before refunds (EIP-7778) */
  readonly execution: bigint;
  /** for state growth */
  readonly state: bigint;
}

/** Gas used in the two dimensions, before the floor of EIP-7623, and the refund. */
export interface GasDimensions {
  readonly execution: bigint;
  readonly state: bigint;
  readonly refund: bigint;
}

/** The result of an executed message. */
export interface Executed {
  readonly kind: 'executed';
  readonly success: boolean;
  /** after refunds */
  readonly gasUsed: bigint;
  /** before refunds */
  readonly maxUsedGas: bigint;
  /** since Amsterdam; before that a block counts `gasUsed` */
  readonly counted?: CountedGas;
  /** since Amsterdam */
  readonly dimensions?: GasDimensions;
  /** return data, or the revert's data */
  readonly returnData: Uint8Array;
  /** empty if the message failed */
  readonly logs: readonly Log[];
  /** bloom filter of the logs, 256 bytes; absent if the engine hasn't computed it */
  readonly logsBloom?: Uint8Array;
  /** number of emitted logs, including those of reverted frames; only with `numberLogs` */
  readonly emittedLogs?: number;
  readonly createdAddress?: Address;
  /** wei per gas */
  readonly effectiveGasPrice: bigint;
  readonly blobGasUsed: bigint;
  /** state root after the transaction, in a block before Byzantium whose header contains one (EIP-658) */
  readonly stateRoot?: Uint8Array;
  /** the sender's nonce before a deposit; only for deposits */
  readonly depositNonce?: bigint;
  /** reason of the failure: `revert`, or the name of the exceptional halt (`out of gas`, `invalid opcode`...) */
  readonly failure?: { readonly revert: boolean; readonly reason: string };
}

/** A run that has failed. */
export type FailedRun = Required<Pick<Executed, 'failure'>> & Pick<Executed, 'returnData'>;

/** The message broke a rule and can't be in a block; the state is unchanged. */
export interface Invalid {
  readonly kind: 'invalid';
  readonly error: DevnetError;
}

/** Result of `execute`, which never throws an EVM error. */
export type Outcome = Executed | Invalid;
