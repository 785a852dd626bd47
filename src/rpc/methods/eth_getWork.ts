import { defineMethod } from '../define-method.ts';
import { notImplemented } from '../not-implemented.ts';

/** There is no proof of work to do: refused, as in anvil. */
export const eth_getWork = defineMethod({
  name: 'eth_getWork',
  kind: 'read',
  params: [],
  handler: notImplemented,
});
