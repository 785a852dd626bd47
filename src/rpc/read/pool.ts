import type { Address } from '@ethereumjs/util';
import type { BlockView } from '../../chain/block.ts';
import type { ChainReader } from '../../chain/refs.ts';
import type { Mempool } from '../../mempool/mempool.ts';
import { hasCode } from '../../state/account.ts';
import { type Awaitable, andThen } from '../../state/view.ts';
import type { HeldLookups } from './held-lookups.ts';

export type PoolReader = ReturnType<typeof poolReader>;

/** Reads the mempool. @param deps.preconfirms whether `pending` is a block that is published while it is built */
export function poolReader({
  chain,
  mempool,
  preconfirms,
  lookups,
}: {
  chain: ChainReader;
  mempool: Mempool;
  preconfirms: () => boolean;
  lookups: HeldLookups;
}) {
  return {
    /** The sender's nonce in the pending view, plus the number of its executable pool transactions. */
    // If possible there is no await between reading the view and the mempool, so that a transaction that moves from the
    // mempool to the block is counted once.
    nextNonce: (address: Address) => {
      const pending = () =>
        andThen(chain.resolve({ tag: 'pending' }), (view) => nonceAt(view, address, mempool));
      if (preconfirms() || mempool.authorizes) return pending();
      // If the block isn't published while it is built, a sender's nonce changes only by its own transactions, so the next block needn't be
      // built, which takes longer the more transactions wait. Contracts' nonces can also change in that block.
      if (mempool.size > 0 && !mempool.isSender(address)) return pending();
      return andThen(chain.latest.state.getAccount(address), (account) =>
        mempool.size > 0 && account && hasCode(account)
          ? pending()
          : mempool.nextNonce(address, account?.nonce ?? 0n),
      );
    },
    /** Returns a pool transaction by hash. */
    find: (hash: Uint8Array) => mempool.get(hash),
    /** Whether {@link hold} may delay a look-up. */
    get mayHold() {
      return lookups.areLikely;
    },
    /**
     * Delays a look-up of a transaction that the next flashblock will include; see {@link HeldLookups.hold}.
     * @returns a promise of the transaction as it is waiting now; `undefined` if there is nothing to wait for
     */
    hold: (hash: Uint8Array) => {
      const waiting = mempool.get(hash);
      return waiting && lookups.hold(hash)?.then(() => waiting);
    },
    /** Returns a transaction that is in the chain now. */
    included: (hash: Uint8Array) => {
      const place = chain.findTransaction(hash);
      return place?.block.transactions[place.index];
    },
    /** Returns the sender's pool transaction with this nonce. */
    at: (sender: Address, nonce: bigint) => mempool.at(sender, nonce),
    /** The executable transactions by sender (`0x` hex), ordered by nonce. */
    pending: () => mempool.pending(),
    /** The transactions behind a nonce gap, by sender (`0x` hex), ordered by nonce. */
    queued: () => mempool.queued(),
    /** Number of all transactions in the pool. */
    get size() {
      return mempool.size;
    },
    has: (hash: Uint8Array) => mempool.has(hash),
    /** See {@link Mempool.obstacleTo}. */
    obstacleTo: (hash: Uint8Array, baseFee: bigint, blobBaseFee: bigint) =>
      mempool.obstacleTo(hash, baseFee, blobBaseFee),
  };
}

function nonceAt(view: BlockView | undefined, address: Address, mempool: Mempool): Awaitable<bigint> {
  return andThen(view?.state.getAccount(address), (account) =>
    mempool.nextNonce(address, account?.nonce ?? 0n),
  );
}
