import { pipeline, Readable } from 'node:stream';
import { constants, createGzip } from 'node:zlib';
import { optional } from '../codec/codec.ts';
import { boolean } from '../codec/values.ts';
import { defineMethod } from '../define-method.ts';
import { JsonStream } from '../json-stream.ts';

/**
 * Returns the chain as a file in anvil's format, compressed with gzip, in hex. With `true`, the file includes the states of all blocks.
 * @returns the gzipped file in hex
 */
export const anvil_dumpState = defineMethod({
  kind: 'node',
  live: true,
  computes: true,
  params: [optional(boolean)],
  handler: async (context, history = false) => {
    const texts = Readable.from(await context.dump(history));
    // Higher compression levels take three times as long, and save a tenth.
    const gzip = createGzip({ level: constants.Z_BEST_SPEED });
    // pipeline passes an error of either stream on to the reader of `bytes`.
    const bytes: AsyncIterable<Buffer> = pipeline(texts, gzip, () => {});
    return JsonStream.open(async (out) => {
      out.write('"0x');
      for await (const chunk of bytes) {
        out.write(chunk.toString('hex'));
        await out.room();
      }
      out.write('"');
    });
  },
});
