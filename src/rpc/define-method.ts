import { DevnetError } from '../errors.ts';
import type { Codec, Decoded } from './codec/codec.ts';
import type { RpcContext } from './context.ts';

type Codecs = readonly Codec<unknown>[];
type DecodedAll<C extends Codecs> = { -readonly [K in keyof C]: Decoded<C[K]> };

/** One RPC method, ready to be called. */
export interface RpcMethod {
  readonly name: string;
  /**
   * Decodes the parameters and runs the handler.
   * @returns wire JSON
   * @throws DevnetError; `invalidParams` when the parameters don't decode or are too many
   */
  readonly call: (context: RpcContext, params: readonly unknown[]) => unknown;
}

/**
 * Makes a method of its name, the codecs of its parameters and a handler, which sees decoded values only. A missing
 * parameter reaches its codec as `undefined`: `optional` ones take it, others refuse.
 */
export function defineMethod<const C extends Codecs>(definition: {
  readonly name: string;
  readonly params: C;
  readonly handler: (context: RpcContext, ...params: DecodedAll<C>) => unknown;
}): RpcMethod {
  const { name, params: codecs, handler } = definition;
  const paths = codecs.map((_, i) => `params[${i}]`);
  return {
    name,
    call: (context, params) => {
      if (params.length > codecs.length) {
        const reason = `expected ${codecs.length} at most, got ${params.length}`;
        throw new DevnetError('invalidParams', { reason });
      }
      const decoded = codecs.map((codec, i) => codec.decode(params[i], paths[i]!));
      // Mapping over a tuple loses its type; each place was decoded by the codec of that place.
      return handler(context, ...(decoded as DecodedAll<C>));
    },
  };
}
