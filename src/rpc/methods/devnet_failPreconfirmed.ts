import { type Hex, hex } from '../codec/hex.ts';
import { hash32 } from '../codec/values.ts';
import { defineMethod } from '../define-method.ts';
import { failingTransaction } from '../send/failing-transaction.ts';

/**
 * Replaces a pre-confirmed transaction by one of the same sender and nonce that fails, and rebuilds the open block. Returns the hash of the
 * failing transaction.
 * @returns a hash
 * @throws server
 */
export const devnet_failPreconfirmed = defineMethod({
  kind: 'dev',
  params: [hash32],
  handler: async (context, hash) => {
    let failing: Hex | undefined;
    await context.history.withdraw(context.cause, hash, (withdrawn) => {
      const transaction = failingTransaction(withdrawn, context);
      failing = hex(transaction.hash);
      return transaction;
    });
    return failing;
  },
});
