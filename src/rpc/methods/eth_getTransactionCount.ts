import { andThen } from '../../state/view.ts';
import { blockRef } from '../codec/block-ref.ts';
import { quantity } from '../codec/hex.ts';
import { address } from '../codec/values.ts';
import { defineMethod } from '../define-method.ts';
import { blockAt } from '../read/block-at.ts';

/**
 * An account's nonce. At the pending block the sender's waiting transactions count too, so that a sender who doesn't
 * wait for blocks never gets the same nonce twice.
 */
export const eth_getTransactionCount = defineMethod({
  name: 'eth_getTransactionCount',
  kind: 'read',
  forkable: true,
  params: [address, blockRef],
  handler: ({ chain, pool }, account, ref) =>
    andThen(blockAt(chain, ref), ({ sealed, state }) =>
      sealed
        ? andThen(state.getAccount(account), (found) => quantity(found?.nonce ?? 0n))
        : andThen(pool.nextNonce(account), quantity),
    ),
});
