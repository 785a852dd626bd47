import type { Address, EOACode7702AuthorizationListBytes } from '@ethereumjs/util';
import type { DevnetError } from '../errors.ts';
import type { Awaitable } from '../state/view.ts';

/** A log as the EVM emitted it. Its position (block, transaction, index) follows from where it stands. */
export interface Log {
  readonly address: Address;
  readonly topics: readonly Uint8Array[];
  readonly data: Uint8Array;
  /** made up for a movement of ETH (`traceTransfers`): no contract emitted it, and no receipt holds it */
  readonly transfer?: true;
  /** Position among all logs that the transaction emitted, those of reverted frames counted; see `numberLogs`. */
  readonly emission?: number;
}

/** EIP-2930, decoded. Slots are 32 bytes. */
export type AccessList = readonly {
  readonly address: Address;
  readonly storageKeys: readonly Uint8Array[];
}[];

/**
 * What is executed: a signed transaction or a call object, in one shape. Fees are those the sender offers; a message
 * of type 0 or 1 carries `maxFeePerGas` = `maxPriorityFeePerGas` = its gas price.
 */
export interface Message {
  /** EIP-2718 type, 0 to 4, or that of a deposit */
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
  /** of a deposit, whose nonce is the one that its sender has when it is executed, whatever stands there */
  readonly deposit?: Deposit;
  /** as it stands in a block; of transactions only. The OP Stack makes it pay for its bytes. */
  readonly raw?: Uint8Array;
}

/** What only a deposit of the OP Stack has (specs.optimism.io/protocol/deposits.html). */
export interface Deposit {
  /** 32 bytes that tell it from all others: on an OP chain they follow from where it stands on L1 */
  readonly sourceHash: Uint8Array;
  /** wei that its sender gets before anything else, and keeps whatever comes of the rest */
  readonly mint: bigint;
  /** Since Regolith a deposit that says so fails. */
  readonly isSystemTransaction: boolean;
}

/** What the block opcodes and the fee rules see. Fixed while a block is built. */
export interface BlockEnv {
  readonly number: bigint;
  /** seconds */
  readonly timestamp: bigint;
  readonly coinbase: Address;
  readonly gasLimit: bigint;
  /** 0 before the merge has its meaning: then `prevRandao` is zero and `difficulty` counts */
  readonly difficulty: bigint;
  readonly prevRandao: Uint8Array;
  /** wei per gas; absent before London */
  readonly baseFeePerGas?: bigint;
  /** wei per blob gas; absent before Cancun */
  readonly blobBaseFee?: bigint;
  /** BLOCKHASH: the hash of one of the 256 blocks before this one; asked only for those. */
  blockHash(number: bigint): Awaitable<Uint8Array | undefined>;
}

/** Which rules of a real transaction are enforced. {@link TRANSACTION_RULES} has them all, calls relax them. */
export interface Rules {
  /** The nonce must equal the account's. */
  readonly nonce: boolean;
  /**
   * The fee cap must reach the base fee, the tip must not exceed the cap. When off, that is asked only of a message
   * that offers a fee. Whatever is offered is charged and must be afforded, with the value, in any case.
   */
  readonly fees: boolean;
  /** The sender must not have code, but for a delegation (EIP-3607, EIP-7702). */
  readonly sender: boolean;
  /** EIP-7825's cap of 2^24 gas on one transaction. */
  readonly gasCap: boolean;
  /** Logs for every movement of ETH, as `eth_simulateV1` defines them for `traceTransfers`. */
  readonly transferLogs: boolean;
}

/** What became of an executed message. */
export interface Executed {
  readonly kind: 'executed';
  readonly success: boolean;
  /** after refunds */
  readonly gasUsed: bigint;
  /** before refunds */
  readonly maxUsedGas: bigint;
  /** return data, or the revert's data */
  readonly returnData: Uint8Array;
  /** empty when it failed */
  readonly logs: readonly Log[];
  /** logs that were emitted, those of reverted frames counted; only with `numberLogs` */
  readonly emittedLogs?: number;
  readonly createdAddress?: Address;
  /** wei per gas */
  readonly effectiveGasPrice: bigint;
  readonly blobGasUsed: bigint;
  /** the nonce that a deposit's sender had before it; of deposits only */
  readonly depositNonce?: bigint;
  /** why it failed: `revert`, or the name of the exceptional halt (`out of gas`, `invalid opcode`...) */
  readonly failure?: { readonly revert: boolean; readonly reason: string };
}

/** The message broke a rule and can't stand in a block; the state is as it was. */
export interface Invalid {
  readonly kind: 'invalid';
  readonly error: DevnetError;
}

/** `execute` answers with this and never throws an EVM error. */
export type Outcome = Executed | Invalid;
