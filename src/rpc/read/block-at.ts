import type { BlockView } from '../../chain/block.ts';
import type { BlockRef, ChainReader } from '../../chain/refs.ts';
import { DevnetError } from '../../errors.ts';
import { hex } from '../codec/hex.ts';

/** The block of a block parameter. @throws DevnetError -32000 `header not found` when there is none */
export async function blockAt(chain: ChainReader, ref: BlockRef): Promise<BlockView> {
  const block = await chain.resolve(ref);
  if (!block)
    throw new DevnetError('headerNotFound', { asked: nameOf(ref), latest: chain.latest.header.number });
  return block;
}

function nameOf(ref: BlockRef): string {
  if ('hash' in ref) return hex(ref.hash);
  return 'number' in ref ? String(ref.number) : ref.tag;
}
