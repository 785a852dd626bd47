import { transactionRequest } from '../codec/transaction.ts';
import { defineMethod } from '../define-method.ts';
import { sendRequest } from '../send/send.ts';

/**
 * Completes a transaction, signs it with a dev account's key or sends it impersonated. Answers its hash.
 * @returns a hash
 * @geth a refusal is -32000 in geth, -32003 here; geth signs no blob transactions, and refuses fees above 1 ether
 * (`--rpc.txfeecap`)
 * @throws unknownAccount
 */
export const eth_sendTransaction = defineMethod({
  kind: 'send',
  params: [transactionRequest],
  handler: (context, request) => sendRequest(context, request),
});
