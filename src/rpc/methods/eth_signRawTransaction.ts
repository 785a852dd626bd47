import { data } from '../codec/values.ts';
import { defineMethod } from '../define-method.ts';
import { notImplemented } from '../not-implemented.ts';

/**
 * Answers an error, as anvil does: transactions whose fees another account pays exist on the Tempo network only.
 * @returns an error
 */
export const eth_signRawTransaction = defineMethod({
  kind: 'node',
  params: [data],
  handler: notImplemented,
});
