import { quantity } from '../codec/hex.ts';
import { defineMethod } from '../define-method.ts';

/** Wei per blob gas in the next block. */
export const eth_blobBaseFee = defineMethod({
  name: 'eth_blobBaseFee',
  kind: 'read',
  params: [],
  handler: ({ fees }) => quantity(fees.next().blobBaseFee ?? 0n),
});
