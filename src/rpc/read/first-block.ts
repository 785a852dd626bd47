import type { BlockView } from '../../chain/block.ts';
import type { ChainReader } from '../../chain/refs.ts';

/**
 * The first sealed block after which something holds that stays so once it does, found by halving: some twenty states are
 * read on a chain of a million blocks. `undefined` where it doesn't hold at `latest`, and where the block was pruned.
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
