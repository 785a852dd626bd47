import { hash32 } from '../codec/values.ts';
import { defineMethod } from '../define-method.ts';

/** As on Base's nodes: whether a transaction is on its way, waiting or pre-confirmed. A sealed one is no longer. */
export const base_transactionStatus = defineMethod({
  name: 'base_transactionStatus',
  kind: 'node',
  params: [hash32],
  handler: ({ pool, chain }, hash) => {
    const isKnown = pool.has(hash) || chain.findTransaction(hash)?.block.sealed === false;
    return { status: isKnown ? 'Known' : 'Unknown' };
  },
});
