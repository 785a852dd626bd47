import { DevnetError } from '../../errors.ts';
import type { HexCall } from '../../evm/hex-call.ts';
import type { CallRequest } from '../../execution/call-request.ts';
import type { SimulationRequest } from '../../execution/simulate/plan.ts';
import { array, type Codec, object, optional, withDefault } from './codec.ts';
import { hexCallOf } from './hex-call.ts';
import { blockOverrides, stateOverrides } from './overrides.ts';
import { transactionRequest } from './transaction.ts';
import { boolean } from './values.ts';

type Request<C> = SimulationRequest<C> & { readonly returnFullTransactions: boolean };

function payloadOf<C>(call: Codec<C>): Codec<Request<C>> {
  const block = object('a block state call', {
    calls: withDefault(array(call), []),
    stateOverrides: optional(stateOverrides),
    blockOverrides: optional(blockOverrides),
  });
  return object('a simulation payload', {
    blockStateCalls: array(block),
    traceTransfers: withDefault(boolean, false),
    validation: withDefault(boolean, false),
    returnFullTransactions: withDefault(boolean, false),
  });
}

const decoded = payloadOf(transactionRequest);

/** Thrown where a call has to be decoded. */
const UNUSUAL = new Error('an unusual call');

const withHexCalls = payloadOf<HexCall>({
  decode: (value) => {
    const call = hexCallOf(value);
    if (!call) throw UNUSUAL;
    return call;
  },
});

/** The payload of `eth_simulateV1`, whose calls are decoded when that is asked for. */
export class Simulation {
  /** the payload with the text of its calls, whose digits aren't checked; `undefined` where some call needs more */
  readonly hex: Request<HexCall> | undefined;
  #decoded: Request<CallRequest> | undefined;
  readonly #value: unknown;
  readonly #path: string;

  /** @throws DevnetError -32602 where it isn't one and has no {@link hex} */
  constructor(value: unknown, path: string) {
    this.#value = value;
    this.#path = path;
    try {
      this.hex = withHexCalls.decode(value, path);
    } catch (error) {
      if (error !== UNUSUAL && !(error instanceof DevnetError)) throw error;
      this.#decoded = decoded.decode(value, path);
    }
  }

  /** The payload, decoded. @throws DevnetError -32602 where it isn't one */
  get decoded(): Request<CallRequest> {
    this.#decoded ??= decoded.decode(this.#value, this.#path);
    return this.#decoded;
  }
}

export const simulationPayload: Codec<Simulation> = {
  ...decoded,
  decode: (value, path) => new Simulation(value, path),
};
