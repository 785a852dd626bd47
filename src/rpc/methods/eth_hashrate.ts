import { defineMethod } from '../define-method.ts';

/**
 * Always returns 0: there is no proof of work.
 * @returns `0x0`
 * @geth geth has no such method since version 1.14
 */
export const eth_hashrate = defineMethod({
  kind: 'read',
  handler: () => '0x0',
});
