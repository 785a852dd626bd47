import { defineMethod } from '../define-method.ts';

/** Zero, as of every node that makes blocks without proof of work. */
export const eth_hashrate = defineMethod({
  name: 'eth_hashrate',
  kind: 'read',
  params: [],
  handler: () => '0x0',
});
