import { blockRef } from '../codec/block-ref.ts';
import { address } from '../codec/values.ts';
import { defineMethod } from '../define-method.ts';
import { blockAt } from '../read/block-at.ts';

/**
 * Returns whether an account has code.
 * @returns true or false
 */
export const ots_hasCode = defineMethod({
  kind: 'read',
  forkable: true,
  params: [address, blockRef],
  handler: async ({ chain }, account, ref) =>
    (await (await blockAt(chain, ref)).state.getCode(account)).length > 0,
});
