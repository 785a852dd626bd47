import type { BlockView } from '../../chain/block.ts';
import type { Simulator } from '../../execution/simulate/simulator.ts';
import { andThen } from '../../state/view.ts';
import { blockRef } from '../codec/block-ref.ts';
import { plainCallsOf, type Simulation, simulationPayload } from '../codec/simulation.ts';
import { defineMethod } from '../define-method.ts';
import { formatSimulatedBlock } from '../format/simulation.ts';
import { JsonText } from '../json-text.ts';
import { blockAt } from '../read/block-at.ts';

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
  handler: ({ chain, simulator }, payload, ref) =>
    andThen(blockAt(chain, ref), (view) => {
      const { hex } = payload;
      const written = hex && !hex.returnFullTransactions ? simulator.write(view, hex) : undefined;
      return andThen(written, (json) =>
        json === undefined ? simulate(simulator, view, payload.decoded) : new JsonText(json),
      );
    }),
});

async function simulate(
  simulator: Simulator,
  view: BlockView,
  request: Simulation['decoded'],
): Promise<unknown> {
  const blocks = await simulator.simulate(view, request);
  return blocks.map((block) => formatSimulatedBlock(block, request.returnFullTransactions));
}
