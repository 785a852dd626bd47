import { defineMethod } from '../define-method.ts';

/** eth/65, as anvil answers; this node has no peers to speak it with. */
export const eth_protocolVersion = defineMethod({
  name: 'eth_protocolVersion',
  kind: 'read',
  params: [],
  handler: () => '0x41',
});
