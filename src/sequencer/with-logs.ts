import type { BlockView, Header } from '../chain/block.ts';
import { isEmptyBloom } from '../chain/bloom.ts';
import type { Chain } from '../chain/chain.ts';
import type { Feed } from './feed.ts';

/** Whether a block holds logs. A log always sets bits: those of its address. */
export function hasLogs(header: Header): boolean {
  return !isEmptyBloom(header.logsBloom);
}

/**
 * What `removed` tells when the chain goes back to `number`. Most blocks of a long chain have no logs, and nobody is to
 * wait until they are read.
 */
export async function withLogs(
  number: bigint,
  { chain, feed }: { chain: Chain; feed: Feed },
): Promise<readonly BlockView[]> {
  return feed.has('removed') ? chain.above(number, hasLogs) : [];
}
