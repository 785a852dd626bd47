import { data } from '../codecs.ts';
import { defineMethod } from '../define-method.ts';
import { hex } from '../hex.ts';

/** Takes a signed transaction of any type and answers its hash; in automine its block is sealed by then. */
export const eth_sendRawTransaction = defineMethod({
  name: 'eth_sendRawTransaction',
  params: [data],
  handler: async ({ decoder, sequencer }, raw) => {
    const transaction = decoder.decode(raw);
    await sequencer.submit(transaction);
    return hex(transaction.hash);
  },
});
