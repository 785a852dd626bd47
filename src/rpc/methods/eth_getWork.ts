import { defineMethod } from '../define-method.ts';
import { notImplemented } from '../not-implemented.ts';

/**
 * Answers an error, as anvil does: there is no proof of work.
 * @returns an error
 */
export const eth_getWork = defineMethod({
  kind: 'read',
  handler: notImplemented,
});
