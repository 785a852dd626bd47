import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { createGzip } from 'node:zlib';
import { optional } from '../codec.ts';
import { boolean } from '../codecs.ts';
import { defineMethod } from '../define-method.ts';
import { hex } from '../hex.ts';

/** The chain in anvil's format: gzip over JSON. Equal chains give equal bytes. `true` = with all states. */
export const anvil_dumpState = defineMethod({
  name: 'anvil_dumpState',
  params: [optional(boolean)],
  handler: async (context, history = false) => {
    const texts = Readable.from(await context.dump(history));
    const gzip = createGzip();
    texts.once('error', (error) => gzip.destroy(error));
    return hex(await buffer(texts.pipe(gzip)));
  },
});
