import { andThen } from '../../state/view.ts';
import { anyBlock } from '../codec/block-ref.ts';
import { optional, withDefault } from '../codec/codec.ts';
import { quantity } from '../codec/hex.ts';
import { blockOverrides, stateOverrides } from '../codec/overrides.ts';
import { transactionRequest } from '../codec/transaction.ts';
import { defineMethod } from '../define-method.ts';
import { callViewAt } from '../read/block-at.ts';

const PENDING = { tag: 'pending' } as const;

/**
 * Returns the least gas, to within 1.5 %, with which a transaction succeeds, on the state of `pending` by default. If it fails with any
 * gas, the result is its error.
 * @returns a quantity
 * @geth geth's default block is `latest`
 * @throws reverted, vmError
 */
export const eth_estimateGas = defineMethod({
  kind: 'read',
  computes: true,
  forkable: true,
  params: [
    transactionRequest,
    withDefault(anyBlock, PENDING),
    optional(stateOverrides),
    optional(blockOverrides),
  ],
  handler: ({ chain, caller, pauses }, request, ref, state, block) =>
    andThen(callViewAt(chain, ref), (view) =>
      andThen(caller.estimateGas(view, request, { state, block }, { pauses }), quantity),
    ),
});
