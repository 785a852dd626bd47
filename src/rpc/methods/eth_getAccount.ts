import { equalsBytes } from '@ethereumjs/util';
import { DevnetError } from '../../errors.ts';
import { EMPTY_ROOT, NEW_ACCOUNT } from '../../state/account.ts';
import { TrieState } from '../../state/trie-state.ts';
import { blockRef } from '../codec/block-ref.ts';
import { hex, quantity } from '../codec/hex.ts';
import { address } from '../codec/values.ts';
import { defineMethod } from '../define-method.ts';
import { blockAt } from '../read/block-at.ts';

/**
 * Returns an account as the state trie stores it, or an empty account if there is none. On a forked chain it fails for contracts: the node
 * doesn't have all of their storage, so it can't compute the storage root.
 * @returns `{ nonce, balance, storageRoot, codeHash }`
 * @geth geth has no such method
 */
export const eth_getAccount = defineMethod({
  kind: 'read',
  forkable: true,
  params: [address, blockRef],
  handler: async ({ chain }, account, ref) => {
    const { state } = await blockAt(chain, ref);
    const { nonce, balance, storageRoot, codeHash } = (await state.getAccount(account)) ?? NEW_ACCOUNT;
    if (!(state instanceof TrieState) && !equalsBytes(storageRoot, EMPTY_ROOT))
      throw new DevnetError('server', {
        reason: 'the storage root of a contract is not known on a forked chain',
      });
    return {
      nonce: quantity(nonce),
      balance: quantity(balance),
      storageRoot: hex(storageRoot),
      codeHash: hex(codeHash),
    };
  },
});
