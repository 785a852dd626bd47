import type { SimulatedBlock } from '../../execution/simulate/object-writer.ts';
import { andThen } from '../../state/view.ts';
import { blockRef } from '../codec/block-ref.ts';
import { simulationPayload } from '../codec/simulation.ts';
import type { RpcContext } from '../context.ts';
import { defineMethod } from '../define-method.ts';
import { formatSimulatedBlock } from '../format/simulation.ts';
import { JsonText } from '../json-text.ts';
import { blockAt } from '../read/block-at.ts';
import { callErrors } from '../read/failed-calls.ts';

/**
 * Simulates blocks of calls on a block's state, without changing the chain. On `pending` they come after the open block.
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
  handler: ({ chain, simulator, contracts, pauses }, request, ref) =>
    andThen(blockAt(chain, ref), (view) =>
      andThen(simulator.simulate(view, request, { pauses }), (simulated) =>
        typeof simulated === 'string' || simulated instanceof Uint8Array
          ? new JsonText(simulated)
          : formatted(simulated, contracts, request.returnFullTransactions),
      ),
    ),
});

async function formatted(
  blocks: readonly SimulatedBlock[],
  contracts: RpcContext['contracts'],
  full: boolean,
): Promise<unknown> {
  const results: unknown[] = [];
  for (const block of blocks) {
    const errors = await callErrors({ contracts }, block.calls);
    results.push(formatSimulatedBlock(block, errors, full));
  }
  return results;
}
