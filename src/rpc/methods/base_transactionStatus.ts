import { hash32 } from '../codec/values.ts';
import { defineMethod } from '../define-method.ts';

/**
 * Returns whether a transaction is waiting or pre-confirmed (`Known`), as Base's nodes do. A sealed transaction is `Unknown`.
 * @returns `{ status: 'Known' | 'Unknown' }`
 */
export const base_transactionStatus = defineMethod({
  kind: 'node',
  params: [hash32],
  handler: ({ pool, chain }, hash) => {
    const isKnown = pool.has(hash) || chain.findTransaction(hash)?.block.sealed === false;
    return { status: isKnown ? 'Known' : 'Unknown' };
  },
});
