import { blockAt } from '../block-at.ts';
import { optional } from '../codec.ts';
import { blockRef } from '../codec-block-ref.ts';
import { blockOverrides, stateOverrides } from '../codec-overrides.ts';
import { transactionRequest } from '../codec-transaction.ts';
import { defineMethod } from '../define-method.ts';
import { quantity } from '../hex.ts';

/** The least gas, to 1.5 %, with which a transaction succeeds. Fails as the transaction would. */
export const eth_estimateGas = defineMethod({
  name: 'eth_estimateGas',
  params: [transactionRequest, blockRef, optional(stateOverrides), optional(blockOverrides)],
  handler: async ({ chain, caller }, request, ref, state, block) =>
    quantity(
      await caller.estimateGas(await blockAt(chain, ref), request, {
        ...(state && { state }),
        ...(block && { block }),
      }),
    ),
});
