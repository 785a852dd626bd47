import { defineMethod } from '../define-method.ts';
import { quantity } from '../hex.ts';
import { SUGGESTED_TIP } from '../suggested-tip.ts';

/** Wei per gas that gets a transaction into the next block: its base fee and a tip. */
export const eth_gasPrice = defineMethod({
  name: 'eth_gasPrice',
  params: [],
  handler: ({ fees }) => quantity((fees.next().baseFee ?? 0n) + SUGGESTED_TIP),
});
