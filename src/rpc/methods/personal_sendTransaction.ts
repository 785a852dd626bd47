import { withDefault } from '../codec.ts';
import { transactionRequest } from '../codec-transaction.ts';
import { string } from '../codecs.ts';
import { defineMethod } from '../define-method.ts';
import { makeTransaction } from '../make-transaction.ts';
import { send } from '../send.ts';

/** Sends with an account that the passphrase unlocks for this once. Answers the hash. */
export const personal_sendTransaction = defineMethod({
  name: 'personal_sendTransaction',
  params: [transactionRequest, withDefault(string, '')],
  handler: async (context, request, passphrase) => {
    const transaction = await context.signers.unlockedFor(request.from, passphrase, () =>
      makeTransaction(context, request),
    );
    return send(context, transaction);
  },
});
