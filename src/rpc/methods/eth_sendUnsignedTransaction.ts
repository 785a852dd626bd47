import { transactionRequest } from '../codec-transaction.ts';
import { defineMethod } from '../define-method.ts';
import { makeTransaction } from '../make-transaction.ts';
import { send } from '../send.ts';

/** Sends for any sender, without its key. Answers the hash. */
export const eth_sendUnsignedTransaction = defineMethod({
  name: 'eth_sendUnsignedTransaction',
  params: [transactionRequest],
  handler: async (context, request) =>
    send(context, await makeTransaction(context, request, { unsigned: true })),
});
