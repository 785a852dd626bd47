import { blockRef } from '../codec/block-ref.ts';
import { address } from '../codec/values.ts';
import { defineMethod } from '../define-method.ts';
import { accountInfo } from '../read/account-info.ts';
import { blockAt } from '../read/block-at.ts';

/**
 * Returns an account's balance in wei, its nonce and its code in one answer.
 * @returns `{ balance, nonce, code }`
 * @geth geth has no such method
 */
export const eth_getAccountInfo = defineMethod({
  kind: 'read',
  forkable: true,
  params: [address, blockRef],
  handler: async ({ chain }, account, ref) => accountInfo((await blockAt(chain, ref)).state, account),
});
