import { anyBlock, LATEST } from '../codec/block-ref.ts';
import { array, object, optional, withDefault } from '../codec/codec.ts';
import { hex } from '../codec/hex.ts';
import { blockOverrides, stateOverrides } from '../codec/overrides.ts';
import { transactionRequest } from '../codec/transaction.ts';
import { defineMethod } from '../define-method.ts';
import { callViewAt } from '../read/block-at.ts';
import { callErrors } from '../read/failed-calls.ts';

const bundles = array(
  object('a bundle of calls', {
    transactions: array(transactionRequest),
    blockOverride: optional(blockOverrides),
  }),
);
const context = object('a state context', { blockNumber: optional(anyBlock) });

/**
 * Runs bundles of calls on a block's state, each call on the state that the previous ones left. A bundle may override block fields; the
 * third parameter overrides accounts.
 * @returns for each bundle a list of `{ value }` or `{ error }`
 * @geth geth has no such method; it is Erigon's
 * @throws transactionRejected
 */
export const eth_callMany = defineMethod({
  kind: 'read',
  computes: true,
  forkable: true,
  params: [bundles, withDefault(context, {}), optional(stateOverrides)],
  handler: async ({ chain, caller, contracts, pauses }, list, { blockNumber }, state) => {
    const view = await callViewAt(chain, blockNumber ?? LATEST);
    const calls = list.flatMap(({ transactions, blockOverride }) =>
      transactions.map((request) => ({ request, block: blockOverride })),
    );
    const executed = await caller.callInSequence(view, calls, { overrides: state, pauses });
    const errors = await callErrors({ contracts }, executed);
    const answers = executed
      .map(({ returnData }, i) => {
        const error = errors[i];
        return error ? { error: error.message } : { value: hex(returnData) };
      })
      .values();
    return list.map(({ transactions }) => transactions.map(() => answers.next().value!));
  },
});
