import type { Header } from '../../chain/block.ts';
import { blobBaseFee, nextBaseFee, nextExcessBlobGas } from '../../chain/fees.ts';
import type { HardforkSchedule } from '../../evm/hardfork.ts';
import type { FeeRules } from '../context.ts';

/**
 * The chain's fee rules by its schedule of forks. The next block is taken to follow within a second.
 * @param options.gasPrice suggested before London, wei
 * @param options.suggestedTip wei per gas on top of the base fee
 */
export function feeRules(
  options: { readonly gasPrice: bigint; readonly suggestedTip: bigint },
  schedule: HardforkSchedule,
  next: FeeRules['next'],
): FeeRules {
  const at = (header: Header) => schedule.at(header.number, header.timestamp, header.difficulty);
  const after = (parent: Header) => schedule.at(parent.number + 1n, parent.timestamp + 1n);
  return {
    next,
    suggestedTip: options.suggestedTip,
    suggestedPrice: () => {
      const { baseFee } = next();
      return baseFee === undefined ? options.gasPrice : baseFee + options.suggestedTip;
    },
    nextBaseFee: (parent) => nextBaseFee(parent, after(parent)),
    blobBaseFee: (header) => blobBaseFee(header.excessBlobGas, at(header)),
    nextBlobBaseFee: (parent) => blobBaseFee(nextExcessBlobGas(parent, after(parent)), after(parent)),
    maxBlobGas: (header) => at(header).blobs?.max ?? 0n,
  };
}
