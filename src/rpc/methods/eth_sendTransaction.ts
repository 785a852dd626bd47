import { transactionRequest } from '../codec/transaction.ts';
import { defineMethod } from '../define-method.ts';
import { sendRequest } from '../send/send.ts';

/** Signs with a dev account, or impersonates, and sends; what is left out is filled in. Answers the hash. */
export const eth_sendTransaction = defineMethod({
  name: 'eth_sendTransaction',
  kind: 'send',
  params: [transactionRequest],
  handler: (context, request) => sendRequest(context, request),
});
