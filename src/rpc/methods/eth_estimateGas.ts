import { anyBlock } from '../codec/block-ref.ts';
import { optional, withDefault } from '../codec/codec.ts';
import { quantity } from '../codec/hex.ts';
import { hexCallOf } from '../codec/hex-call.ts';
import { blockOverrides, stateOverrides } from '../codec/overrides.ts';
import { transactionRequest } from '../codec/transaction.ts';
import { defineMethod } from '../define-method.ts';
import { callViewAt } from '../read/block-at.ts';

const PENDING = { tag: 'pending' } as const;

/**
 * The least gas, to within 1.5 %, with which a transaction succeeds, by default on `pending`; or its error.
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
  atOnce: ({ chain, caller, fork }, params) => {
    if (params.length > 2 || (params[1] !== undefined && params[1] !== 'pending') || fork) return undefined;
    const call = hexCallOf(params[0]);
    const opening = call && chain.opening;
    const gas = opening && caller.estimateHex(opening, call);
    return gas && quantity(gas);
  },
  handler: async ({ chain, caller }, request, ref, state, block) => {
    const isPending = 'tag' in ref && ref.tag === 'pending' && !state && !block;
    const opening = isPending ? chain.opening : undefined;
    const least = opening && (await caller.leastGas(opening, request));
    return quantity(
      least ?? (await caller.estimateGas(await callViewAt(chain, ref), request, { state, block })),
    );
  },
});
