import { defineMethod } from '../define-method.ts';

/** None: the chain is private to this process. */
export const net_peerCount = defineMethod({
  name: 'net_peerCount',
  kind: 'read',
  params: [],
  handler: () => '0x0',
});
