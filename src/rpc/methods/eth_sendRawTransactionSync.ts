import { data } from '../codec/values.ts';
import { defineMethod } from '../define-method.ts';
import { receiptText } from '../format/block-text.ts';
import { JsonText } from '../json-text.ts';
import { decodeSent, submit } from '../send/submit.ts';
import { syncTimeout, waitOf } from '../send/sync-timeout.ts';

/**
 * Takes a signed transaction and answers its receipt once it is pre-confirmed or sealed (EIP-7966). It waits for the second parameter's
 * milliseconds, 6,000 at most and by default; with a preset of Base more than that is refused.
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
