import { withDefault } from '../codec/codec.ts';
import { hex } from '../codec/hex.ts';
import { transactionRequest } from '../codec/transaction.ts';
import { string } from '../codec/values.ts';
import { defineMethod } from '../define-method.ts';
import { makeTransaction } from '../send/make-transaction.ts';

/**
 * Signs a transaction with an account that the passphrase unlocks for this call, and returns its bytes. The transaction isn't sent.
 * @returns bytes
 * @throws unknownAccount
 */
export const personal_signTransaction = defineMethod({
  kind: 'node',
  params: [transactionRequest, withDefault(string, '')],
  handler: async (context, request, passphrase) => {
    const { raw } = await context.signers.unlockedFor(request.from, passphrase, () =>
      makeTransaction(context, request),
    );
    return hex(raw);
  },
});
