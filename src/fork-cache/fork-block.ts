/** The block at which a chain is forked; identifies its cache. */
export interface ForkBlock {
  readonly chainId: bigint;
  readonly number: bigint;
  /** `0x` hex, 32 bytes, in lower case */
  readonly hash: string;
  /** Hash of a transaction of the next block: the chain begins with the state right before it. */
  readonly transaction?: string | undefined;
}

/** `block 21000000 (0x3f4e5a…) of chain 1`, for messages. */
export function describeBlock({ chainId, number, hash }: ForkBlock): string {
  return `block ${number} (${hash.slice(0, 10)}...) of chain ${chainId}`;
}
