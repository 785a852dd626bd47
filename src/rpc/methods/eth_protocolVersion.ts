import { defineMethod } from '../define-method.ts';

/**
 * Always eth/65 (`0x41`), as in anvil. The node has no peers, so the version has no effect.
 * @returns `0x41`
 * @geth geth has no such method any more
 */
export const eth_protocolVersion = defineMethod({
  kind: 'read',
  handler: () => '0x41',
});
