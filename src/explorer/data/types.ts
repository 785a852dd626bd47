/** A quantity or bytes as `0x` hex, as the node's JSON contains them. */
export type Hex = `0x${string}`;

export interface Transaction {
  readonly hash: Hex;
  readonly from: Hex;
  /** `null` for a contract creation */
  readonly to: Hex | null;
  readonly value: Hex;
  readonly input: Hex;
  readonly nonce: Hex;
  readonly gas: Hex;
  readonly gasPrice?: Hex;
  readonly maxFeePerGas?: Hex;
  readonly maxPriorityFeePerGas?: Hex;
  readonly type: Hex;
  readonly blockNumber: Hex | null;
  readonly blockHash: Hex | null;
  readonly transactionIndex: Hex | null;
}

export interface Withdrawal {
  readonly index: Hex;
  readonly validatorIndex: Hex;
  readonly address: Hex;
  /** gwei */
  readonly amount: Hex;
}

export interface Header {
  readonly number: Hex;
  readonly hash: Hex;
  readonly parentHash: Hex;
  /** seconds */
  readonly timestamp: Hex;
  readonly gasUsed: Hex;
  readonly gasLimit: Hex;
  /** wei per gas */
  readonly baseFeePerGas?: Hex;
}

/** A block with full transaction objects. */
export interface Block extends Header {
  readonly miner: Hex;
  readonly stateRoot: Hex;
  readonly transactionsRoot: Hex;
  readonly receiptsRoot: Hex;
  readonly extraData: Hex;
  readonly mixHash: Hex;
  readonly size: Hex;
  readonly transactions: readonly Transaction[];
  readonly withdrawals?: readonly Withdrawal[];
}

/** A flashblock as the subscription `newFlashblockDiffs` sends it. */
export interface FlashblockDiff {
  /** the same for all flashblocks of a block; different if the block is started again */
  readonly payloadId: Hex;
  /** position in the block; 0 opens it */
  readonly index: number;
  /** indexes among this flashblock's transactions of the failed ones */
  readonly failed: readonly number[];
  /** the block up to this flashblock, but with the transactions of this flashblock only */
  readonly block: Block;
}

export interface Log {
  readonly address: Hex;
  readonly topics: readonly Hex[];
  readonly data: Hex;
  readonly blockNumber?: Hex;
  readonly transactionHash?: Hex;
  readonly logIndex?: Hex;
}

export interface Receipt {
  readonly blockHash: Hex;
  readonly blockNumber: Hex;
  readonly transactionHash: Hex;
  readonly transactionIndex: Hex;
  readonly status?: Hex;
  readonly gasUsed: Hex;
  readonly cumulativeGasUsed: Hex;
  readonly effectiveGasPrice: Hex;
  readonly contractAddress: Hex | null;
  readonly logs: readonly Log[];
}

/** A call as the `callTracer` of `debug_traceTransaction` returns it. */
export interface Frame {
  readonly type: string;
  readonly from: Hex;
  readonly to?: Hex;
  readonly value?: Hex;
  readonly gas: Hex;
  readonly gasUsed: Hex;
  readonly input: Hex;
  readonly output?: Hex;
  readonly error?: string;
  readonly revertReason?: string;
  readonly calls?: readonly Frame[];
  readonly logs?: readonly Log[];
}
