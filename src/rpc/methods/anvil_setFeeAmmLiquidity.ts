import { address, quantity } from '../codec/values.ts';
import { defineMethod } from '../define-method.ts';
import { notImplemented } from '../not-implemented.ts';

/**
 * Answers an error, as anvil does: fees in tokens exist on the Tempo network only.
 * @returns an error
 */
export const anvil_setFeeAmmLiquidity = defineMethod({
  kind: 'dev',
  // It is refused.
  recorded: false,
  params: [address, address, quantity],
  handler: notImplemented,
});
