import { defineMethod } from '../define-method.ts';

/**
 * Always returns 0: the node has no peers.
 * @returns `0x0`
 * @geth geth returns the number of its peers
 */
export const net_peerCount = defineMethod({
  kind: 'read',
  handler: () => '0x0',
});
