import type { BlockView } from '../../chain/block.ts';
import type { ChainReader } from '../../chain/refs.ts';

/**
 * Finds the first sealed block for which a condition holds that, once true, stays true. It uses bisection: about
 * twenty blocks are checked on a chain of a million.
 * @returns `undefined` when the condition doesn't hold at `latest`, or when the block was pruned
 */
export async function firstBlockWhere(
  chain: ChainReader,
  holds: (block: BlockView) => Promise<boolean>,
): Promise<BlockView | undefined> {
  const { latest } = chain;
  if (!(await holds(latest))) return undefined;
  let low = chain.genesis;
  let high = latest.header.number;
  while (low < high) {
    const middle = (low + high) / 2n;
    const block = await chain.resolve({ number: middle });
    if (block && (await holds(block))) high = middle;
    else low = middle + 1n;
  }
  return high === latest.header.number ? latest : chain.resolve({ number: high });
}
