import { blockAt } from '../block-at.ts';
import { blockRef } from '../codec-block-ref.ts';
import { address } from '../codecs.ts';
import { defineMethod } from '../define-method.ts';

/** Whether an account has code. */
export const ots_hasCode = defineMethod({
  name: 'ots_hasCode',
  params: [address, blockRef],
  handler: async ({ chain }, account, ref) =>
    (await (await blockAt(chain, ref)).state.getCode(account)).length > 0,
});
