import { optional } from '../codec/codec.ts';
import { transactionRequest } from '../codec/transaction.ts';
import { quantity, uint64 } from '../codec/values.ts';
import { defineMethod } from '../define-method.ts';
import { resend } from '../send/resend.ts';

/**
 * Replaces a waiting transaction of an account that the node signs for with the same one at another gas price, in wei, or
 * gas limit. The first parameter is the waiting transaction; its nonce is required, and what else it says has to be right. A
 * transaction with fee cap and tip gets the price for both.
 * @returns the new transaction's hash
 * @geth geth doesn't change the fees of a transaction that has a fee cap
 */
export const eth_resend = defineMethod({
  kind: 'send',
  params: [transactionRequest, optional(quantity), optional(uint64)],
  handler: resend,
});
