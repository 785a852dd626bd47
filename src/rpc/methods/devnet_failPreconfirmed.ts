import { type Hex, hex } from '../codec/hex.ts';
import { hash32 } from '../codec/values.ts';
import { defineMethod } from '../define-method.ts';
import { failingTransaction } from '../send/failing-transaction.ts';

/**
 * Rebuilds the open block with a failing transaction of the same sender and nonce; answers the new one's hash.
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
