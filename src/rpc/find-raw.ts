import type { ChainReader } from '../chain/refs.ts';
import type { PoolReader } from './context.ts';

/** EIP-2718 bytes of a sealed, pre-confirmed or shown waiting transaction. */
export function findRaw(chain: ChainReader, pool: PoolReader, hash: Uint8Array): Uint8Array | undefined {
  const place = chain.findTransaction(hash);
  return (place ? place.block.transactions[place.index] : pool.find(hash))?.raw;
}
