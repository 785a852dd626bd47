import { defineMethod } from '../define-method.ts';

/**
 * Always 0: the node has no peers.
 * @returns `0x0`
 * @geth geth answers the number of its peers
 */
export const net_peerCount = defineMethod({
  kind: 'read',
  handler: () => '0x0',
});
