import { defineMethod } from '../define-method.ts';
import { quantity } from '../hex.ts';

/** The base fee of the next block in wei per gas. */
export const eth_baseFee = defineMethod({
  name: 'eth_baseFee',
  params: [],
  handler: ({ chain }) => quantity(chain.pending.header.baseFeePerGas ?? 0n),
});
