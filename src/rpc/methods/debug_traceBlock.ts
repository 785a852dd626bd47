import { data } from '../codecs.ts';
import { decodeBlock } from '../decode-block.ts';
import { defineMethod } from '../define-method.ts';
import { traceBlock } from '../trace-block.ts';
import { traceConfig } from '../trace-config.ts';

/** Executes a block given in RLP on its parent's state: what a tracer saw of each transaction. */
export const debug_traceBlock = defineMethod({
  name: 'debug_traceBlock',
  params: [data, traceConfig],
  handler: ({ decoder, tracing }, rlp, config) => traceBlock(tracing, decodeBlock(rlp, decoder), config),
});
