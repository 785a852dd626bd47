import { defineMethod } from '../define-method.ts';

/**
 * Always returns eth/65 (`0x41`), as anvil does. The node has no peers, so the version has no effect.
 * @returns `0x41`
 * @geth geth no longer has this method
 */
export const eth_protocolVersion = defineMethod({
  kind: 'read',
  handler: () => '0x41',
});
