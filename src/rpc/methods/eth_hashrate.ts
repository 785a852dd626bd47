import { defineMethod } from '../define-method.ts';

/** Always 0: there is no proof of work. */
export const eth_hashrate = defineMethod({
  name: 'eth_hashrate',
  kind: 'read',
  params: [],
  handler: () => '0x0',
});
