import { defineMethod } from '../define-method.ts';

/**
 * Returns whether the node makes blocks by itself, on a clock or for transactions: true in all modes but the manual one.
 * @returns true or false
 * @geth geth has no such method since version 1.14
 */
export const eth_mining = defineMethod({
  kind: 'read',
  handler: ({ sequencer }) => sequencer.mode.kind !== 'manual',
});
