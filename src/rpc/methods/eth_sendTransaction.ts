import { transactionRequest } from '../codec/transaction.ts';
import { defineMethod } from '../define-method.ts';
import { sendRequest } from '../send/send.ts';

/**
 * Fills in the fields that a transaction leaves out, signs it with a dev account's key or sends it for an impersonated
 * account. Answers the hash.
 */
export const eth_sendTransaction = defineMethod({
  kind: 'send',
  params: [transactionRequest],
  handler: (context, request) => sendRequest(context, request),
});
