import { blockRef } from '../codec/block-ref.ts';
import { transactionRequest } from '../codec/transaction.ts';
import { defineMethod } from '../define-method.ts';
import { blockAt } from '../read/block-at.ts';
import { traceRun } from '../trace/block.ts';
import { traceCallConfig } from '../trace/config.ts';

/**
 * Runs a call on the state of a sealed block or the pending one, and returns its trace. `tracer` is the name of one of geth's native
 * tracers, or a JavaScript expression with geth's interface: see [Tracers in JavaScript](limits.md#tracers-in-javascript).
 * @returns the tracer's result; without a tracer `{ gas, failed, returnValue, structLogs }`
 * @throws transactionRejected
 */
export const debug_traceCall = defineMethod({
  kind: 'read',
  computes: true,
  forkable: true,
  params: [transactionRequest, blockRef, traceCallConfig],
  handler: async ({ chain, tracing, shapes }, request, ref, config) => {
    const { stateOverrides: state, blockOverrides: block, txIndex } = config;
    const view = await blockAt(chain, ref);
    return traceRun(config, shapes, undefined, (trace) =>
      tracing.call(view, request, trace, {
        overrides: { state, block },
        before: txIndex === undefined ? undefined : Number(txIndex),
      }),
    );
  },
});
