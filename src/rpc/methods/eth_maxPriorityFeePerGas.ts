import { defineMethod } from '../define-method.ts';
import { quantity } from '../hex.ts';
import { SUGGESTED_TIP } from '../suggested-tip.ts';

/** The suggested tip in wei per gas. */
export const eth_maxPriorityFeePerGas = defineMethod({
  name: 'eth_maxPriorityFeePerGas',
  params: [],
  handler: () => quantity(SUGGESTED_TIP),
});
