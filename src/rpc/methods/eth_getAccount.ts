import { NEW_ACCOUNT } from '../../state/account.ts';
import { blockAt } from '../block-at.ts';
import { blockRef } from '../codec-block-ref.ts';
import { address } from '../codecs.ts';
import { defineMethod } from '../define-method.ts';
import { hex, quantity } from '../hex.ts';

/** An account as the state trie holds it; an empty one where there is none. */
export const eth_getAccount = defineMethod({
  name: 'eth_getAccount',
  params: [address, blockRef],
  handler: async ({ chain }, account, ref) => {
    const { state } = await blockAt(chain, ref);
    const { nonce, balance, storageRoot, codeHash } = (await state.getAccount(account)) ?? NEW_ACCOUNT;
    return {
      nonce: quantity(nonce),
      balance: quantity(balance),
      storageRoot: hex(storageRoot),
      codeHash: hex(codeHash),
    };
  },
});
