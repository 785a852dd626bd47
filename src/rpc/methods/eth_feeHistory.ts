import { blockNumber } from '../codec/block-ref.ts';
import { array, invalid, mapped, optional } from '../codec/codec.ts';
import { number, uint64 } from '../codec/values.ts';
import { defineMethod } from '../define-method.ts';
import { feeHistory } from '../read/fee-history.ts';

/** The same limit as in geth. */
const MAX_PERCENTILES = 100;

const percentiles = mapped(array(number), (list, path) => {
  if (list.length > MAX_PERCENTILES) invalid(path, `${MAX_PERCENTILES} percentiles at most`, list);
  list.forEach((value, i) => {
    if (value < 0 || value > 100 || value <= (list[i - 1] ?? -1))
      invalid(`${path}[${i}]`, 'ascending percentiles from 0 to 100', value);
  });
  return list;
});

/**
 * Returns the base fees (wei per gas), the ratios of gas used to gas limit, and the tips at given percentiles of gas used, for a number of
 * blocks up to the given one.
 * @returns `{ oldestBlock, baseFeePerGas, gasUsedRatio, baseFeePerBlobGas, blobGasUsedRatio, reward? }`
 */
export const eth_feeHistory = defineMethod({
  kind: 'read',
  params: [uint64, blockNumber, optional(percentiles)],
  handler: (context, count, newest, rewards) => feeHistory(context, count, newest, rewards),
});
