import type { ChainReader } from '../../chain/refs.ts';
import type { PoolReader } from './pool.ts';

/** EIP-2718 bytes of a sealed or pre-confirmed transaction, or of one that {@link PoolReader.find} finds. */
export function findRaw(chain: ChainReader, pool: PoolReader, hash: Uint8Array): Uint8Array | undefined {
  const waiting = pool.find(hash);
  if (waiting) return waiting.raw;
  const place = chain.findTransaction(hash);
  return place?.block.transactions[place.index]?.raw;
}
