import { defineMethod } from '../define-method.ts';

/**
 * eth/65, as anvil answers. This node has no peers to speak the protocol with.
 * @returns `0x41`
 * @geth geth has no such method any more
 */
export const eth_protocolVersion = defineMethod({
  kind: 'read',
  handler: () => '0x41',
});
