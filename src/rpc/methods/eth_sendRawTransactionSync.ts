import { data } from '../codec/values.ts';
import { defineMethod } from '../define-method.ts';
import { receiptText } from '../format/block-text.ts';
import { JsonText } from '../json-text.ts';
import { decodeSent, submit } from '../send/submit.ts';
import { syncTimeout, waitOf } from '../send/sync-timeout.ts';

/**
 * Sends a signed transaction, and returns its receipt when the transaction is pre-confirmed or sealed (EIP-7966). The second parameter is
 * the longest time to wait in milliseconds: 6,000 by default and at most. A greater value is rejected with a preset of Base, and treated as
 * 6,000 otherwise.
 * @returns the receipt
 * @geth geth waits until the transaction is in a block; here a pre-confirmation suffices
 * @throws syncTimeout
 */
export const eth_sendRawTransactionSync = defineMethod({
  kind: 'send',
  answersReceipt: true,
  params: [data, syncTimeout],
  handler: async (context, raw, asked) => {
    const { decoder, confirmations } = context;
    const ms = waitOf(asked, context);
    const transaction = decodeSent(context, raw, (bytes) => decoder.decodeLater(bytes));
    await submit(context, transaction);
    const { block, index } = await confirmations.of(transaction.hash, ms);
    return new JsonText(receiptText(block, index));
  },
});
