import { andThen } from '../../state/view.ts';
import { blockRef } from '../codec/block-ref.ts';
import { quantity } from '../codec/hex.ts';
import { address } from '../codec/values.ts';
import { defineMethod } from '../define-method.ts';
import { blockAt } from '../read/block-at.ts';

/**
 * Returns an account's nonce. For `pending`, the sender's waiting transactions count too, so that two sends never get the same nonce.
 * @returns a quantity
 */
export const eth_getTransactionCount = defineMethod({
  kind: 'read',
  forkable: true,
  // Two transactions sent through two followers must not get the same nonce.
  needsMempool: ([, block]) => block === 'pending',
  params: [address, blockRef],
  handler: ({ chain, pool }, account, ref) => {
    const next = () => andThen(pool.nextNonce(account), quantity);
    if ('tag' in ref && ref.tag === 'pending') return next();
    return andThen(blockAt(chain, ref), ({ sealed, state }) =>
      // The block being built also has a hash. Asked for by this hash it is `pending`.
      sealed || 'flashblock' in ref
        ? andThen(state.getAccount(account), (found) => quantity(found?.nonce ?? 0n))
        : next(),
    );
  },
});
