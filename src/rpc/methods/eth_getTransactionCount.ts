import { blockRef } from '../codec/block-ref.ts';
import { quantity } from '../codec/hex.ts';
import { address } from '../codec/values.ts';
import { defineMethod } from '../define-method.ts';
import { blockAt } from '../read/block-at.ts';

/** An account's nonce. At `pending`, waiting transactions count, so that no sender gets the same nonce twice. */
export const eth_getTransactionCount = defineMethod({
  kind: 'read',
  forkable: true,
  params: [address, blockRef],
  handler: async ({ chain, pool }, account, ref) => {
    const block = await blockAt(chain, ref);
    if (!block.sealed) return quantity(await pool.nextNonce(account));
    return quantity((await block.state.getAccount(account))?.nonce ?? 0n);
  },
});
