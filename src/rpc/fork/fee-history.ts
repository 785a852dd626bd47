import type { BlockRef, ChainReader } from '../../chain/refs.ts';
import { quantity } from '../codec/hex.ts';
import type { FeeHistory } from '../read/fee-history.ts';
import type { ForkContext } from './context.ts';
import { withoutEarliest } from './shared.ts';

/**
 * Returns the part of `eth_feeHistory` that is on the chain from which this one was forked; `undefined` if there is none. `isAll`: all
 * blocks are on that chain. `endsAtFork`: the last block of this part is the fork block.
 */
export async function remoteFeeHistory(
  fork: ForkContext,
  asked: {
    readonly chain: ChainReader;
    readonly wanted: bigint;
    readonly newest: BlockRef;
    readonly percentiles: readonly number[] | undefined;
  },
): Promise<
  { readonly history: FeeHistory; readonly isAll: boolean; readonly endsAtFork: boolean } | undefined
> {
  const { chain, wanted, percentiles } = asked;
  const newest = await withoutEarliest(fork, asked.newest);
  const head =
    'number' in newest ? newest.number : ((await chain.resolve(newest))?.header.number ?? fork.number);
  const here = head - fork.number;
  if (wanted <= (here > 0n ? here : 0n)) return undefined;
  const count = here > 0n ? wanted - here : wanted;
  const last = here > 0n ? fork.number : head;
  const params = [quantity(count), quantity(last), ...(percentiles ? [percentiles] : [])];
  const history = (await fork.request('eth_feeHistory', params)) as FeeHistory;
  return { history, isAll: here <= 0n, endsAtFork: last === fork.number };
}

/** Joins two consecutive histories. The fees of the block after them are those of the second. */
export function joined(before: FeeHistory, after: FeeHistory): FeeHistory {
  const blocks = before.gasUsedRatio.length;
  // A node may not support blobs.
  const filled = <T>(list: readonly T[] | undefined, none: T) =>
    Array.from({ length: blocks }, (_, i) => list?.[i] ?? none);
  return {
    oldestBlock: blocks > 0 ? before.oldestBlock : after.oldestBlock,
    baseFeePerGas: [...filled(before.baseFeePerGas, '0x0'), ...after.baseFeePerGas],
    gasUsedRatio: [...before.gasUsedRatio, ...after.gasUsedRatio],
    baseFeePerBlobGas: [...filled(before.baseFeePerBlobGas, '0x0'), ...after.baseFeePerBlobGas],
    blobGasUsedRatio: [...filled(before.blobGasUsedRatio, 0), ...after.blobGasUsedRatio],
    ...(after.reward && { reward: [...filled(before.reward, []), ...after.reward] }),
  };
}
