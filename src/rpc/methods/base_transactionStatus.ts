import { hash32 } from '../codec/values.ts';
import { defineMethod } from '../define-method.ts';

/**
 * Whether a transaction is waiting or pre-confirmed (`Known`), as Base's nodes answer. A sealed one is `Unknown`.
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
