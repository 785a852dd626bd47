import type { Address } from '@ethereumjs/util';
import type { BlockView } from '../../chain/block.ts';
import type { ChainReader } from '../../chain/refs.ts';
import type { Mempool } from '../../mempool/mempool.ts';
import type { Awaitable } from '../../state/view.ts';
import type { PoolReader } from '../context.ts';

/**
 * What reads see of the mempool.
 * @param hidden whether waiting transactions are kept from look-ups by hash, as while partial blocks are on
 */
export function poolReader(deps: {
  chain: ChainReader;
  mempool: Mempool;
  hidden: () => boolean;
}): PoolReader {
  const { chain, mempool, hidden } = deps;
  return {
    // Without a promise in between, view and mempool are read in one go: a transaction that moves from one to the
    // other is counted once.
    nextNonce: (address) =>
      then(chain.resolve({ tag: 'pending' }), (view) => nonceAt(view, address, mempool)),
    find: (hash) => (hidden() ? undefined : mempool.get(hash)),
    at: (sender, nonce) => mempool.at(sender, nonce),
    pending: () => mempool.pending(),
    queued: () => mempool.queued(),
    has: (hash) => mempool.has(hash),
  };
}

function nonceAt(view: BlockView | undefined, address: Address, mempool: Mempool): Awaitable<bigint> {
  return then(view?.state.getAccount(address), (account) => mempool.nextNonce(address, account?.nonce ?? 0n));
}

function then<T, R>(value: Awaitable<T>, use: (value: T) => Awaitable<R>): Awaitable<R> {
  return value instanceof Promise ? value.then(use) : use(value);
}
