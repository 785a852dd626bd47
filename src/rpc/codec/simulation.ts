import { DevnetError } from '../../errors.ts';
import type { HexCall } from '../../evm/hex-call.ts';
import type { CallRequest } from '../../execution/call-request.ts';
import type { SimulationRequest } from '../../execution/simulate/plan.ts';
import { array, type Codec, isObject, object, optional, withDefault } from './codec.ts';
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

/** Members of a payload that say nothing where they are false. */
const FLAGS: ReadonlySet<string> = new Set(['traceTransfers', 'validation', 'returnFullTransactions']);

/**
 * Reads a payload of one block with nothing but calls, without making bytes of their text.
 * @returns `undefined` for any other
 */
export function plainCallsOf(payload: unknown): readonly HexCall[] | undefined {
  if (!isObject(payload)) return undefined;
  for (const name in payload)
    if (name !== 'blockStateCalls' && !(FLAGS.has(name) && payload[name] === false)) return undefined;
  const { blockStateCalls: blocks } = payload;
  const block: unknown = Array.isArray(blocks) && blocks.length === 1 ? blocks[0] : undefined;
  if (!isObject(block) || !Array.isArray(block.calls)) return undefined;
  for (const name in block) if (name !== 'calls') return undefined;
  const calls: HexCall[] = [];
  for (const value of block.calls) {
    const call = hexCallOf(value);
    if (!call) return undefined;
    calls.push(call);
  }
  return calls;
}
