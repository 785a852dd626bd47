import { hash32 } from '../codec/values.ts';
import { defineMethod } from '../define-method.ts';

/**
 * A pre-confirmed transaction disappears before the seal. The block that is being built begins anew without it; the
 * sender's later transactions go back to the mempool, where they wait for its nonce.
 */
export const devnet_dropPreconfirmed = defineMethod({
  name: 'devnet_dropPreconfirmed',
  kind: 'dev',
  params: [hash32],
  handler: async ({ history, cause }, hash) => {
    await history.withdraw(cause, hash);
    return true;
  },
});
