import { blockNumber } from '../codec/block-ref.ts';
import { optional } from '../codec/codec.ts';
import { defineMethod } from '../define-method.ts';
import { modifiedAccounts } from '../read/modified-accounts.ts';

/**
 * Returns the accounts whose nonce, balance, code or storage differ between two blocks. With one block: the accounts that this block
 * changed.
 * @returns a list of addresses
 * @geth geth takes JSON numbers only, and leaves out accounts that were deleted
 */
export const debug_getModifiedAccountsByNumber = defineMethod({
  kind: 'read',
  computes: true,
  forkable: true,
  params: [blockNumber, optional(blockNumber)],
  handler: modifiedAccounts,
});
