import type { FeeMarket } from './signed-transaction.ts';

/** A call whose bytes are hexadecimal text that isn't checked yet. */
export interface HexCall {
  /** 42 characters; absent: the zero address */
  readonly from?: string | undefined;
  /** 42 characters; absent: the call creates a contract */
  readonly to?: string | undefined;
  /** `0x` for none */
  readonly data: string;
  /** absent: nothing of it is given */
  readonly amounts?: CallAmounts | undefined;
}

/** The numbers of a call. What is absent is zero, except where something else is said. */
export interface CallAmounts {
  /** absent: as much as there is */
  readonly gas?: bigint;
  /** wei */
  readonly value?: bigint;
  /** absent: that of the sender */
  readonly nonce?: bigint;
  /** wei per gas; never together with the other two */
  readonly gasPrice?: bigint;
  readonly maxFeePerGas?: bigint;
  readonly maxPriorityFeePerGas?: bigint;
}

/** Signs a hash of 32 bytes. @returns recovery id, r and s: 65 bytes */
export type Sign = (hash: Uint8Array) => Uint8Array;

/** A call that has become a signed transaction. */
export interface SignedCall {
  /** EIP-2718 */
  readonly raw: Uint8Array;
  /** 32 bytes */
  readonly hash: Uint8Array;
  readonly json: SignedJson;
}

/** The members of a transaction of type 2 as JSON, between which its gas price in a block belongs, and the fees that decide that. */
export interface SignedJson extends FeeMarket {
  readonly upToGas: string;
  /** begins with a comma */
  readonly fromFees: string;
}

/** Whether a call has a target, and no amounts but a value. */
export function transfersAtMost({ to, amounts }: HexCall): boolean {
  if (to === undefined) return false;
  for (const name in amounts) if (name !== 'value') return false;
  return true;
}
