import { optional } from '../codec/codec.ts';
import { hash32 } from '../codec/values.ts';
import { defineMethod } from '../define-method.ts';
import { modifiedAccounts } from '../read/modified-accounts.ts';

/**
 * Returns the accounts whose nonce, balance, code or storage differ between two blocks, given by their hashes. With one hash: the accounts
 * that this block changed.
 * @returns a list of addresses
 * @geth geth leaves out accounts that were deleted
 */
export const debug_getModifiedAccountsByHash = defineMethod({
  kind: 'read',
  computes: true,
  forkable: true,
  params: [hash32, optional(hash32)],
  handler: (context, start, end) => modifiedAccounts(context, { hash: start }, end && { hash: end }),
});
