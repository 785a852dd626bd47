import type { BlockView } from '../chain/block.ts';
import type { BlockRef, ChainReader } from '../chain/refs.ts';
import { DevnetError } from '../errors.ts';

/** The block that a state read names; -32000 `header not found` when there is none. */
export async function blockAt(chain: ChainReader, ref: BlockRef): Promise<BlockView> {
  const block = await chain.resolve(ref);
  if (!block) throw new DevnetError('headerNotFound');
  return block;
}
