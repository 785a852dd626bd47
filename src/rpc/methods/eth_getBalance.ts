import { andThen } from '../../state/view.ts';
import { blockRef } from '../codec/block-ref.ts';
import { quantity } from '../codec/hex.ts';
import { address } from '../codec/values.ts';
import { defineMethod } from '../define-method.ts';
import { readState } from '../read/block-at.ts';

/**
 * Returns an account's balance in wei.
 * @returns a quantity
 */
export const eth_getBalance = defineMethod({
  kind: 'read',
  forkable: true,
  params: [address, blockRef],
  handler: ({ chain }, account, ref) =>
    readState(chain, ref, (state) =>
      andThen(state.getAccount(account), (found) => quantity(found?.balance ?? 0n)),
    ),
});
