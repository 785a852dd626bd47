import { hash32, quantity } from '../codec/values.ts';
import { defineMethod } from '../define-method.ts';
import { notImplemented } from '../not-implemented.ts';

/**
 * Always fails, as in anvil: there is no proof of work.
 * @returns an error
 * @geth geth has no such method since version 1.14
 */
export const eth_submitHashrate = defineMethod({
  kind: 'read',
  params: [quantity, hash32],
  handler: notImplemented,
});
