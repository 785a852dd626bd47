import { optional } from '../codec/codec.ts';
import { transactionRequest } from '../codec/transaction.ts';
import { quantity, uint64 } from '../codec/values.ts';
import { defineMethod } from '../define-method.ts';
import { resend } from '../send/resend.ts';

/**
 * Replaces a waiting transaction by the same one with another gas price, in wei per gas, or another gas limit. The node must be able to
 * sign for the sender. The first parameter describes the waiting transaction: its nonce is required, and all other given fields must match.
 * If the transaction has a fee cap and a tip, both are set to the new price.
 * @returns the new transaction's hash
 * @geth geth doesn't change the fees of a transaction that has a fee cap
 */
export const eth_resend = defineMethod({
  kind: 'send',
  params: [transactionRequest, optional(quantity), optional(uint64)],
  handler: resend,
});
