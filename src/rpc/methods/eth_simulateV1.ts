import { blockRef } from '../codec/block-ref.ts';
import { simulationPayload } from '../codec/simulation.ts';
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
  handler: async ({ chain, simulator }, payload, ref) => {
    const view = await blockAt(chain, ref);
    const json = payload.returnFullTransactions ? undefined : await simulator.write(view, payload);
    if (json) return new JsonText(json);
    const blocks = await simulator.simulate(view, payload);
    return blocks.map((block) => formatSimulatedBlock(block, payload.returnFullTransactions));
  },
});
