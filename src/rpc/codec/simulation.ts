import type { SimulationRequest } from '../../execution/simulate/plan.ts';
import { array, type Codec, mapped, object, optional, withDefault } from './codec.ts';
import { blockOverrides, stateOverrides } from './overrides.ts';
import { transactionRequest } from './transaction.ts';
import { boolean } from './values.ts';

const block = mapped(
  object('a block state call', {
    calls: withDefault(array(transactionRequest), []),
    stateOverrides: optional(stateOverrides),
    blockOverrides: optional(blockOverrides),
  }),
  ({ calls, stateOverrides: state, blockOverrides: overrides }) => ({
    calls,
    ...(state && { stateOverrides: state }),
    ...(overrides && { blockOverrides: overrides }),
  }),
);

/** The payload of `eth_simulateV1`. */
export const simulationPayload: Codec<SimulationRequest & { readonly returnFullTransactions: boolean }> =
  object('a simulation payload', {
    blockStateCalls: array(block),
    traceTransfers: withDefault(boolean, false),
    validation: withDefault(boolean, false),
    returnFullTransactions: withDefault(boolean, false),
  });
