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
