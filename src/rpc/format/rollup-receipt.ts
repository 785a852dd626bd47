import type { Block } from '../../chain/block.ts';
import { typeOf } from '../../engine/message.ts';
import { DEPOSIT_TYPE } from '../../protocol/op-stack/deposit-transaction.ts';
import { l1AttributesOf } from '../../protocol/op-stack/l1-attributes.ts';
import { daFootprint, estimatedSize, l1FeeOf } from '../../protocol/op-stack/rollup-fees.ts';
import { quantity } from '../codec/hex.ts';

/**
 * Returns the additional fields of a receipt in op-geth, from the L1 attributes at the start of the block: the L1 fee that the sender paid,
 * and the values from which this and the other fees of OP chains are computed. Deposits have none of these fields, since they pay no fees.
 */
export function formatRollupFees({ transactions }: Block, index: number) {
  const { raw } = transactions[index]!;
  const l1 = typeOf(raw) === DEPOSIT_TYPE ? undefined : l1AttributesOf(transactions);
  if (!l1) return {};
  const hasOperatorFee = l1.operatorFeeScalar > 0n || l1.operatorFeeConstant > 0n;
  return {
    l1GasPrice: quantity(l1.baseFee),
    l1GasUsed: quantity((estimatedSize(raw) * 16n) / 1_000_000n),
    l1Fee: quantity(l1FeeOf(raw, l1)),
    l1BaseFeeScalar: quantity(l1.baseFeeScalar),
    l1BlobBaseFee: quantity(l1.blobBaseFee),
    l1BlobBaseFeeScalar: quantity(l1.blobBaseFeeScalar),
    ...(hasOperatorFee && {
      operatorFeeScalar: quantity(l1.operatorFeeScalar),
      operatorFeeConstant: quantity(l1.operatorFeeConstant),
    }),
    ...(l1.daFootprintGasScalar > 0n && {
      daFootprintGasScalar: quantity(l1.daFootprintGasScalar),
      blobGasUsed: quantity(daFootprint(raw, l1)),
    }),
  };
}
