import { blockRef } from '../codec/block-ref.ts';
import { quantity } from '../codec/hex.ts';
import { address } from '../codec/values.ts';
import { defineMethod } from '../define-method.ts';
import { blockAt } from '../read/block-at.ts';

/** An account's balance in wei. */
export const eth_getBalance = defineMethod({
  kind: 'read',
  forkable: true,
  params: [address, blockRef],
  handler: async ({ chain }, account, ref) => {
    const block = await blockAt(chain, ref);
    const state = await block.state.getAccount(account);
    return quantity(state?.balance ?? 0n);
  },
});
