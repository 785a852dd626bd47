import { transactionRequest } from '../codec/transaction.ts';
import { defineMethod } from '../define-method.ts';
import { sendRequest } from '../send/send.ts';

/**
 * Sends a transaction for any sender without its private key, and returns its hash.
 * @returns a hash
 * @geth geth has no such method
 */
export const eth_sendUnsignedTransaction = defineMethod({
  kind: 'send',
  params: [transactionRequest],
  handler: (context, request) => sendRequest(context, request, { unsigned: true }),
});
