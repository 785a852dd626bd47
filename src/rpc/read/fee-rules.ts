import type { Header } from '../../chain/block.ts';
import { blobBaseFee, nextBaseFee, nextExcessBlobGas } from '../../chain/fees.ts';
import type { HardforkSchedule } from '../../evm/hardfork.ts';
import type { FeeRules } from '../context.ts';

/**
 * The chain's fee rules by its hardforks. For the next block's hardfork a timestamp one second later is assumed.
 * @param options.gasPrice gas price suggested before London, wei per gas
 * @param options.suggestedTip suggested priority fee, wei per gas
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
