import type { SimulationRequest } from '../../execution/simulate/plan.ts';
import { array, type Codec, object, optional, withDefault } from './codec.ts';
import { blockOverrides, stateOverrides } from './overrides.ts';
import { transactionRequest } from './transaction.ts';
import { boolean } from './values.ts';

const block = object('a block state call', {
  calls: withDefault(array(transactionRequest), []),
  stateOverrides: optional(stateOverrides),
  blockOverrides: optional(blockOverrides),
});

/** The payload of `eth_simulateV1`. */
export const simulationPayload: Codec<SimulationRequest> = object('a simulation payload', {
  blockStateCalls: array(block),
  traceTransfers: withDefault(boolean, false),
  validation: withDefault(boolean, false),
  returnFullTransactions: withDefault(boolean, false),
});
