import { type ChainTransaction, DEPOSIT_TYPE } from '../protocol/op-stack/deposit-transaction.ts';

/** The fees that a transaction offers. */
export interface OfferedFees {
  /** wei per gas: `maxFeePerGas`, or the gas price of types 0 and 1 */
  readonly feeCap: bigint;
  /** wei per gas: `maxPriorityFeePerGas`, or the gas price of types 0 and 1 */
  readonly tip: bigint;
  /** wei per blob gas; EIP-4844 transactions only */
  readonly blobFeeCap?: bigint;
}

export function feesOf(tx: ChainTransaction): OfferedFees {
  if (!('maxFeePerGas' in tx)) return { feeCap: tx.gasPrice, tip: tx.gasPrice };
  const fees = { feeCap: tx.maxFeePerGas, tip: tx.maxPriorityFeePerGas };
  return 'maxFeePerBlobGas' in tx ? { ...fees, blobFeeCap: tx.maxFeePerBlobGas } : fees;
}

/**
 * The priority fee that the fee recipient gets (EIP-1559).
 * @param baseFee wei per gas; 0 before London
 * @returns wei per gas; negative if the fee cap is below the base fee
 */
export function effectiveTip(fees: OfferedFees, baseFee: bigint): bigint {
  const room = fees.feeCap - baseFee;
  return room < fees.tip ? room : fees.tip;
}

/** The {@link effectiveTip} of a transaction; 0 for a deposit. */
export function tipOf(tx: ChainTransaction, baseFee: bigint): bigint {
  return tx.type === DEPOSIT_TYPE ? 0n : effectiveTip(feesOf(tx), baseFee);
}

/** The lowest fee that replaces `old`: 10 % more (geth's price bump), rounded up, and at least 1 wei more. */
export function replacementMinimum(old: bigint): bigint {
  const bumped = (old * 110n + 99n) / 100n;
  return bumped > old ? bumped : old + 1n;
}
