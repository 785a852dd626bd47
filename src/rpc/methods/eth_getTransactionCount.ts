import { blockRef } from '../codec/block-ref.ts';
import { quantity } from '../codec/hex.ts';
import { address } from '../codec/values.ts';
import { defineMethod } from '../define-method.ts';
import { blockAt } from '../read/block-at.ts';

/**
 * An account's nonce. At the pending block it counts what waits in the mempool too, so that a fast sender never gets a
 * nonce twice (SPEC 2).
 */
export const eth_getTransactionCount = defineMethod({
  name: 'eth_getTransactionCount',
  kind: 'read',
  forkable: true,
  params: [address, blockRef],
  handler: async ({ chain, pool }, account, ref) => {
    const block = await blockAt(chain, ref);
    if (!block.sealed) return quantity(await pool.nextNonce(account));
    return quantity((await block.state.getAccount(account))?.nonce ?? 0n);
  },
});
