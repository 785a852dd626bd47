import { blockAt } from '../block-at.ts';
import { blockRef } from '../codec-block-ref.ts';
import { address } from '../codecs.ts';
import { defineMethod } from '../define-method.ts';
import { quantity } from '../hex.ts';

/** An account's balance in wei. */
export const eth_getBalance = defineMethod({
  name: 'eth_getBalance',
  params: [address, blockRef],
  handler: async ({ chain }, account, ref) => {
    const block = await blockAt(chain, ref);
    const state = await block.state.getAccount(account);
    return quantity(state?.balance ?? 0n);
  },
});
