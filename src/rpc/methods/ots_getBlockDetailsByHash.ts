import { hash32 } from '../codec/values.ts';
import { defineMethod } from '../define-method.ts';
import { formatBlockDetails } from '../format/ots-blocks.ts';

/**
 * Returns a block by hash without its transactions, with its fees and its issuance in wei, or null if there is none.
 * @returns `{ block, issuance, totalFees }`, or null
 */
export const ots_getBlockDetailsByHash = defineMethod({
  kind: 'read',
  forkable: true,
  params: [hash32],
  handler: async ({ chain, forks }, hash) => {
    const block = await chain.resolve({ hash });
    return block ? formatBlockDetails(block, forks) : null;
  },
});
