import type { BlockView } from '../../chain/block.ts';
import { andThen } from '../../state/view.ts';
import { blockRef } from '../codec/block-ref.ts';
import { plainCallsOf, type Simulation, simulationPayload } from '../codec/simulation.ts';
import type { RpcContext } from '../context.ts';
import { defineMethod } from '../define-method.ts';
import { formatSimulatedBlock } from '../format/simulation.ts';
import { JsonText } from '../json-text.ts';
import { blockAt } from '../read/block-at.ts';
import { callErrors } from '../read/failed-calls.ts';

/**
 * Simulates blocks of calls on a block's state; on `pending` after the open block. The chain stays as it is.
 * @returns a list of blocks, each with `calls`: a list of `{ status, gasUsed, returnData, logs, error? }`
 * @geth geth computes the state root; here it is zero without `--simulate-state-root`
 * @throws nonceTooLow, nonceTooHigh, feeCapTooLow, intrinsicGas, insufficientFunds, blockGasLimit, blockNumberOrder,
 * blockTimeOrder, precompileMoveToSelf, initCodeSize, clientLimit
 */
export const eth_simulateV1 = defineMethod({
  kind: 'read',
  computes: true,
  forkable: true,
  params: [simulationPayload, blockRef],
  atOnce: ({ chain, simulator, fork }, params) => {
    const tag = params[1];
    if (params.length > 2 || (tag !== 'latest' && tag !== undefined) || fork) return undefined;
    const calls = plainCallsOf(params[0]);
    const json = calls && simulator.writeAtOnce(chain.latest, calls);
    return json && new JsonText(json);
  },
  handler: ({ chain, simulator, contracts }, payload, ref) =>
    andThen(blockAt(chain, ref), (view) => {
      const { hex } = payload;
      const written = hex && !hex.returnFullTransactions ? simulator.write(view, hex) : undefined;
      return andThen(written, (json) =>
        json === undefined ? simulate({ simulator, contracts }, view, payload.decoded) : new JsonText(json),
      );
    }),
});

async function simulate(
  { simulator, contracts }: Pick<RpcContext, 'simulator' | 'contracts'>,
  view: BlockView,
  request: Simulation['decoded'],
): Promise<unknown> {
  const blocks = await simulator.simulate(view, request);
  const results: unknown[] = [];
  for (const block of blocks) {
    const errors = await callErrors({ contracts }, block.calls);
    results.push(formatSimulatedBlock(block, errors, request.returnFullTransactions));
  }
  return results;
}
