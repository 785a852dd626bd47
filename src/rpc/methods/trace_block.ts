import { blockNumber } from '../codec/block-ref.ts';
import { defineMethod } from '../define-method.ts';
import { streamOf } from '../json-pieces.ts';
import { parityBlock } from '../trace/block.ts';

/**
 * Returns the calls of a block's transactions in OpenEthereum's format, or null if there is no such block.
 * @returns a list of calls, or null
 */
export const trace_block = defineMethod({
  kind: 'read',
  computes: true,
  forkable: true,
  params: [blockNumber],
  handler: async ({ chain, tracing }, ref) => {
    const block = await chain.resolve(ref);
    return block ? streamOf(await parityBlock(tracing, block)) : null;
  },
});
