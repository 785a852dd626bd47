import type { Address } from '@ethereumjs/util';
import type { BlockView } from '../../chain/block.ts';
import type { ChainReader } from '../../chain/refs.ts';
import type { Mempool } from '../../mempool/mempool.ts';
import { type Awaitable, andThen } from '../../state/view.ts';
import type { PoolReader } from '../context.ts';

/**
 * Read access to the mempool.
 * @param deps.hidden whether pool transactions are hidden from look-ups by hash, as in modes with pre-confirmation
 */
export function poolReader(deps: {
  chain: ChainReader;
  mempool: Mempool;
  hidden: () => boolean;
}): PoolReader {
  const { chain, mempool, hidden } = deps;
  return {
    // Where possible without an await between reading view and mempool, so that a transaction that moves from the
    // mempool to the block is counted once.
    nextNonce: (address) =>
      andThen(chain.resolve({ tag: 'pending' }), (view) => nonceAt(view, address, mempool)),
    find: (hash) => (hidden() ? undefined : mempool.get(hash)),
    at: (sender, nonce) => mempool.at(sender, nonce),
    pending: () => mempool.pending(),
    queued: () => mempool.queued(),
    has: (hash) => mempool.has(hash),
  };
}

function nonceAt(view: BlockView | undefined, address: Address, mempool: Mempool): Awaitable<bigint> {
  return andThen(view?.state.getAccount(address), (account) =>
    mempool.nextNonce(address, account?.nonce ?? 0n),
  );
}
