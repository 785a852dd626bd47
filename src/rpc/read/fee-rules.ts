import type { Header } from '../../chain/block.ts';
import { blobBaseFee, nextBaseFee, nextExcessBlobGas } from '../../chain/fees.ts';
import type { HardforkSchedule } from '../../protocol/hardfork.ts';
import type { NextFees } from '../../sequencer/next-fees.ts';

/** The chain's fees, in wei per gas or per blob gas; `undefined` if the hardfork has no such fee. */
export type FeeRules = ReturnType<typeof feeRules>;

/**
 * Creates the chain's fee rules from its hardforks. The next block's hardfork is determined with a timestamp one second after its parent's.
 * @param options.gasPrice gas price suggested before London, wei per gas
 * @param options.suggestedTip suggested priority fee, wei per gas
 */
export function feeRules(
  options: { readonly gasPrice: bigint; readonly suggestedTip: bigint },
  schedule: HardforkSchedule,
  next: () => Pick<NextFees, 'baseFee' | 'blobBaseFee'>,
  baseFeeAfterOpen: () => bigint | undefined = () => undefined,
) {
  const at = (header: Header) => schedule.at(header.number, header.timestamp, header.difficulty);
  const after = (parent: Header) => schedule.at(parent.number + 1n, parent.timestamp + 1n);
  return {
    /** The fees of the next block: the open one, or the one that would be mined now. */
    next,
    /** the base fee set for the block after the open one, if any */
    baseFeeAfterOpen,
    suggestedTip: options.suggestedTip,
    /** The next block's base fee plus the default priority fee; a fixed price before London. */
    suggestedPrice: () => {
      const { baseFee } = next();
      return baseFee === undefined ? options.gasPrice : baseFee + options.suggestedTip;
    },
    nextBaseFee: (parent: Header) => nextBaseFee(parent, after(parent)),
    blobBaseFee: (header: Header) => blobBaseFee(header.excessBlobGas, at(header)),
    nextBlobBaseFee: (parent: Header) => blobBaseFee(nextExcessBlobGas(parent, after(parent)), after(parent)),
    /** 0 before Cancun, and on an OP chain */
    maxBlobGas: (header: Header) => (at(header).rollup ? 0n : (at(header).blobs?.max ?? 0n)),
  };
}
