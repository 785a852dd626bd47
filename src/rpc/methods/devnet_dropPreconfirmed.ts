import { hash32 } from '../codec/values.ts';
import { defineMethod } from '../define-method.ts';

/**
 * Removes a pre-confirmed transaction before its block is sealed. The open block is rebuilt without it; the sender's later transactions go
 * back to the mempool, and wait there for its nonce.
 * @returns true
 * @throws server
 */
export const devnet_dropPreconfirmed = defineMethod({
  kind: 'dev',
  params: [hash32],
  handler: async ({ history, cause }, hash) => {
    await history.withdraw(cause, hash);
    return true;
  },
});
