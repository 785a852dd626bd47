import { data } from '../codec/values.ts';
import { defineMethod } from '../define-method.ts';
import { receiptText } from '../format/block-text.ts';
import { JsonText } from '../json-text.ts';
import { syncTimeout } from '../send/sync-timeout.ts';

/**
 * Takes a signed transaction and answers its receipt once it is pre-confirmed or sealed (EIP-7966).
 * @returns the receipt
 * @geth geth waits until the transaction is in a block; here a pre-confirmation suffices
 * @throws syncTimeout
 */
export const eth_sendRawTransactionSync = defineMethod({
  kind: 'send',
  receiptOf: 'eth_sendRawTransaction',
  params: [data, syncTimeout],
  handler: async ({ decoder, sequencer, confirmations }, raw, ms) => {
    const transaction = decoder.decodeLater(raw);
    await sequencer.submit(transaction);
    const { block, index } = await confirmations.of(transaction.hash, ms);
    return new JsonText(receiptText(block, index));
  },
});
