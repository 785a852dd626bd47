import { DevnetError } from '../../errors.ts';
import { anyBlock } from '../codec/block-ref.ts';
import { address, uint64 } from '../codec/values.ts';
import { defineMethod } from '../define-method.ts';
import { accountInfo } from '../read/account-info.ts';
import { blockAt } from '../read/block-at.ts';

/**
 * Returns an account's balance, nonce and code after the transaction at an index of a block.
 * @returns `{ balance, nonce, code }`
 * @geth geth has no such method; it is reth's
 */
export const debug_accountInfoAt = defineMethod({
  kind: 'read',
  computes: true,
  forkable: true,
  params: [anyBlock, uint64, address],
  handler: async ({ chain, tracing }, ref, index, account) => {
    const view = await blockAt(chain, ref);
    if (index >= view.transactions.length)
      throw new DevnetError('server', { reason: `transaction index ${index} out of range` });
    return accountInfo(await tracing.stateBefore(view, Number(index) + 1), account);
  },
});
