import { address, quantity } from '../codec/values.ts';
import { defineMethod } from '../define-method.ts';
import { notImplemented } from '../not-implemented.ts';

/** Fees in tokens are of the Tempo network: refused, as in anvil on any other. */
export const anvil_setFeeAmmLiquidity = defineMethod({
  name: 'anvil_setFeeAmmLiquidity',
  kind: 'dev',
  // It is refused.
  recorded: false,
  params: [address, address, quantity],
  handler: notImplemented,
});
