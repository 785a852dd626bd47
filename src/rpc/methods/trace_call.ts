import { blockRef } from '../codec/block-ref.ts';
import { array } from '../codec/codec.ts';
import { transactionRequest } from '../codec/transaction.ts';
import { string } from '../codec/values.ts';
import { defineMethod } from '../define-method.ts';
import { blockAt } from '../read/block-at.ts';
import { callTrace } from '../trace/call.ts';

/** Runs a call and answers its calls (`trace`) and its changes (`stateDiff`) in OpenEthereum's format. */
export const trace_call = defineMethod({
  name: 'trace_call',
  params: [transactionRequest, array(string), blockRef],
  handler: async ({ chain, tracing }, request, types, ref) =>
    tracing.call(await blockAt(chain, ref), request, callTrace(types)),
});
