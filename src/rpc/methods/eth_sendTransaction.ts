import { transactionRequest } from '../codec-transaction.ts';
import { defineMethod } from '../define-method.ts';
import { makeTransaction } from '../make-transaction.ts';
import { send } from '../send.ts';

/** Signs with a dev account, or impersonates, and sends; what is left out is filled in. Answers the hash. */
export const eth_sendTransaction = defineMethod({
  name: 'eth_sendTransaction',
  params: [transactionRequest],
  handler: async (context, request) => send(context, await makeTransaction(context, request)),
});
