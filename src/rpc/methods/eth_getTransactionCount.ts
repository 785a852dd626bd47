import { andThen } from '../../state/view.ts';
import { blockRef } from '../codec/block-ref.ts';
import { quantity } from '../codec/hex.ts';
import { address } from '../codec/values.ts';
import { defineMethod } from '../define-method.ts';
import { blockAt } from '../read/block-at.ts';

/**
 * An account's nonce. At `pending`, waiting transactions count, so that no sender gets the same nonce twice.
 * @returns a quantity
 */
export const eth_getTransactionCount = defineMethod({
  kind: 'read',
  forkable: true,
  // Two sends through two followers must not get the same nonce.
  needsMempool: ([, block]) => block === 'pending',
  params: [address, blockRef],
  handler: ({ chain, pool }, account, ref) => {
    const next = () => andThen(pool.nextNonce(account), quantity);
    if ('tag' in ref && ref.tag === 'pending') return next();
    return andThen(blockAt(chain, ref), ({ sealed, state }) =>
      // The block being built has a hash, too, and is `pending` by it.
      sealed || 'flashblock' in ref
        ? andThen(state.getAccount(account), (found) => quantity(found?.nonce ?? 0n))
        : next(),
    );
  },
});
