import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { createGzip } from 'node:zlib';
import { optional } from '../codec/codec.ts';
import { hex } from '../codec/hex.ts';
import { boolean } from '../codec/values.ts';
import { defineMethod } from '../define-method.ts';

/**
 * The chain as a gzipped file in anvil's format, in hex; with `true` it has the states of all blocks.
 * @returns the gzipped file in hex
 */
export const anvil_dumpState = defineMethod({
  kind: 'node',
  live: true,
  computes: true,
  params: [optional(boolean)],
  handler: async (context, history = false) => {
    const texts = Readable.from(await context.dump(history));
    const gzip = createGzip();
    texts.once('error', (error) => gzip.destroy(error));
    return hex(await buffer(texts.pipe(gzip)));
  },
});
