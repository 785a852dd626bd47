import { NEW_ACCOUNT } from '../../state/account.ts';
import { blockRef } from '../codec/block-ref.ts';
import { hex, quantity } from '../codec/hex.ts';
import { address } from '../codec/values.ts';
import { defineMethod } from '../define-method.ts';
import { blockAt } from '../read/block-at.ts';

/**
 * An account's balance, nonce and code in one answer.
 * @returns `{ balance, nonce, code }`
 * @geth geth has no such method
 */
export const eth_getAccountInfo = defineMethod({
  kind: 'read',
  forkable: true,
  params: [address, blockRef],
  handler: async ({ chain }, account, ref) => {
    const { state } = await blockAt(chain, ref);
    const { balance, nonce } = (await state.getAccount(account)) ?? NEW_ACCOUNT;
    return { balance: quantity(balance), nonce: quantity(nonce), code: hex(await state.getCode(account)) };
  },
});
