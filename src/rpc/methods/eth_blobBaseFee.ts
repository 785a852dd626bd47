import { quantity } from '../codec/hex.ts';
import { defineMethod } from '../define-method.ts';

/** The next block's blob base fee in wei per blob gas. */
export const eth_blobBaseFee = defineMethod({
  name: 'eth_blobBaseFee',
  kind: 'read',
  params: [],
  handler: ({ fees }) => quantity(fees.next().blobBaseFee ?? 0n),
});
