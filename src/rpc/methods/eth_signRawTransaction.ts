import { data } from '../codec/values.ts';
import { defineMethod } from '../define-method.ts';
import { notImplemented } from '../not-implemented.ts';

/**
 * Always fails, as in anvil: transactions whose fees another account pays exist only on the Tempo network.
 * @returns an error
 */
export const eth_signRawTransaction = defineMethod({
  kind: 'node',
  params: [data],
  handler: notImplemented,
});
