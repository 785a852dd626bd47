import { callError } from '../../execution/call-error.ts';
import { andThen } from '../../state/view.ts';
import { blockRef } from '../codec/block-ref.ts';
import { optional } from '../codec/codec.ts';
import { hex } from '../codec/hex.ts';
import { blockOverrides, stateOverrides } from '../codec/overrides.ts';
import { transactionRequest } from '../codec/transaction.ts';
import { defineMethod } from '../define-method.ts';
import { callViewAt } from '../read/block-at.ts';

/**
 * Runs a call on a block's state and returns its return data. If the call reverts, the result is an error with code 3 and the revert data.
 * @returns bytes
 * @geth an exceptional halt, such as running out of gas, is -32000 in geth, -32015 here; geth ends a call after 5 s (`--rpc.evmtimeout`),
 * this node after `--rpc-timeout`
 * @throws reverted, vmError, transactionRejected
 */
export const eth_call = defineMethod({
  kind: 'read',
  computes: true,
  forkable: true,
  params: [transactionRequest, blockRef, optional(stateOverrides), optional(blockOverrides)],
  handler: ({ chain, caller, pauses }, request, ref, state, block) =>
    andThen(callViewAt(chain, ref), (view) =>
      andThen(caller.call(view, request, { state, block }, { pauses, answers: true }), (executed) => {
        if (executed.failure) throw callError(executed)!;
        return hex(executed.returnData);
      }),
    ),
});
