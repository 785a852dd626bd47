import { hash32 } from '../codec/values.ts';
import { defineMethod } from '../define-method.ts';
import { receiptText } from '../format/block-text.ts';
import { JsonText } from '../json-text.ts';
import { syncTimeout, waitOf } from '../send/sync-timeout.ts';
import { eth_sendTransaction } from './eth_sendTransaction.ts';

/**
 * Sends a transaction like `eth_sendTransaction`, and returns its receipt when the transaction is pre-confirmed or sealed (EIP-7966).
 * @returns the receipt
 * @geth geth has no such method, only `eth_sendRawTransactionSync`
 * @throws unknownAccount, syncTimeout
 */
export const eth_sendTransactionSync = defineMethod({
  kind: 'send',
  answersReceipt: true,
  // eth_sendTransaction decodes the request.
  params: [{ decode: (request) => request }, syncTimeout],
  handler: async (context, request, asked) => {
    const ms = waitOf(asked, context);
    const hash = await eth_sendTransaction.call(context, [request]);
    const { block, index } = await context.confirmations.of(hash32.decode(hash, 'hash'), ms);
    return new JsonText(receiptText(block, index));
  },
});
