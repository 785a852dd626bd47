import { type Hex, hex } from '../codec/hex.ts';
import { hash32 } from '../codec/values.ts';
import { defineMethod } from '../define-method.ts';
import { failingTransaction } from '../send/failing-transaction.ts';

/**
 * A pre-confirmed transaction gives way to another one of its sender and nonce, which fails. The block that is being
 * built begins anew with it. Answers the hash of the one that fails.
 */
export const devnet_failPreconfirmed = defineMethod({
  name: 'devnet_failPreconfirmed',
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
