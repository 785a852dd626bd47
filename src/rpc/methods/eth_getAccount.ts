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
 * An account as the state trie has it; an empty account when there is none. Refused for contracts on a forked chain:
 * their storage root isn't known, as not all of their storage is here.
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
