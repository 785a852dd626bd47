import { withDefault } from '../codec/codec.ts';
import { transactionRequest } from '../codec/transaction.ts';
import { string } from '../codec/values.ts';
import { defineMethod } from '../define-method.ts';
import { sendRequest } from '../send/send.ts';

/**
 * Sends a transaction from an account that the passphrase unlocks for this call, and returns its hash.
 * @returns a hash
 * @throws unknownAccount
 */
export const personal_sendTransaction = defineMethod({
  kind: 'send',
  params: [transactionRequest, withDefault(string, '')],
  handler: (context, request, passphrase) =>
    context.signers.unlockedFor(request.from, passphrase, () => sendRequest(context, request)),
});
