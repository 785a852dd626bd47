import { NEW_ACCOUNT } from '../../state/account.ts';
import { blockAt } from '../block-at.ts';
import { blockRef } from '../codec-block-ref.ts';
import { address } from '../codecs.ts';
import { defineMethod } from '../define-method.ts';
import { hex, quantity } from '../hex.ts';

/** An account's balance, nonce and code in one answer. */
export const eth_getAccountInfo = defineMethod({
  name: 'eth_getAccountInfo',
  params: [address, blockRef],
  handler: async ({ chain }, account, ref) => {
    const { state } = await blockAt(chain, ref);
    const { balance, nonce } = (await state.getAccount(account)) ?? NEW_ACCOUNT;
    return { balance: quantity(balance), nonce: quantity(nonce), code: hex(await state.getCode(account)) };
  },
});
