import { transactionRequest } from '../codec/transaction.ts';
import { defineMethod } from '../define-method.ts';
import { sendRequest } from '../send/send.ts';

/**
 * Fills in the missing fields of a transaction, signs it with a dev account's key (or sends it unsigned for an impersonated account), and
 * returns its hash.
 * @returns a hash
 * @geth a rejected transaction is -32000 in geth, -32003 here; geth doesn't sign blob transactions, and rejects fees above 1 ether
 * (`--rpc.txfeecap`)
 * @throws unknownAccount
 */
export const eth_sendTransaction = defineMethod({
  kind: 'send',
  params: [transactionRequest],
  handler: (context, request) => sendRequest(context, request),
});
