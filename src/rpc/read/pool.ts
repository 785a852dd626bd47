import type { Address } from '@ethereumjs/util';
import type { BlockView } from '../../chain/block.ts';
import type { ChainReader } from '../../chain/refs.ts';
import type { Mempool } from '../../mempool/mempool.ts';
import { type Awaitable, andThen } from '../../state/view.ts';

export type PoolReader = ReturnType<typeof poolReader>;

/** Reads the mempool. @param deps.hidden no look-ups of its transactions by hash, as with pre-confirmation */
export function poolReader({
  chain,
  mempool,
  hidden,
}: {
  chain: ChainReader;
  mempool: Mempool;
  hidden: () => boolean;
}) {
  return {
    /** The sender's nonce in the pending view, plus the number of its executable pool transactions. */
    // Where possible without an await between reading view and mempool, so that a transaction that moves from the
    // mempool to the block is counted once.
    nextNonce: (address: Address) => {
      // The block that would be mined then has no transactions: it need not be built.
      if (!hidden() && mempool.size === 0) return nonceAt(chain.latest, address, mempool);
      return andThen(chain.resolve({ tag: 'pending' }), (view) => nonceAt(view, address, mempool));
    },
    /** A pool transaction by hash, where look-ups see the mempool. */
    find: (hash: Uint8Array) => (hidden() ? undefined : mempool.get(hash)),
    /** The sender's pool transaction with this nonce. */
    at: (sender: Address, nonce: bigint) => mempool.at(sender, nonce),
    /** The executable transactions by sender (`0x` hex), ordered by nonce. */
    pending: () => mempool.pending(),
    /** The transactions behind a nonce gap, by sender (`0x` hex), ordered by nonce. */
    queued: () => mempool.queued(),
    /** Number of all its transactions. */
    get size() {
      return mempool.size;
    },
    has: (hash: Uint8Array) => mempool.has(hash),
  };
}

function nonceAt(view: BlockView | undefined, address: Address, mempool: Mempool): Awaitable<bigint> {
  return andThen(view?.state.getAccount(address), (account) =>
    mempool.nextNonce(address, account?.nonce ?? 0n),
  );
}
