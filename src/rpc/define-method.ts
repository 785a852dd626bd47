import { DevnetError } from '../errors.ts';
import type { Codec, Decoded } from './codec/codec.ts';
import type { RpcContext } from './context.ts';

type Codecs = readonly Codec<unknown>[];
type DecodedAll<C extends Codecs> = { -readonly [K in keyof C]: Decoded<C[K]> };

/**
 * What a method does, from which follows who answers it, what it sees, and what a recording keeps of it:
 * - `read`: reads blocks and states. Every node answers it itself.
 * - `node`: reads what only the node that makes the blocks has: its mempool, its keys, its mode. A follower passes it on.
 * - `send`: takes a transaction. A follower passes it on. A recording has the transaction if it is admitted, not the call:
 *   a replay needs no keys.
 * - `dev`: changes the chain, or what the next calls do to it. A follower passes it on. A recording has the call.
 *
 * All reads of a batch see the chain at the same moment, until a `send` or `dev` method is called, which sees the chain as
 * it is by then; so do the reads after it.
 */
export type MethodKind =
  | {
      readonly kind: 'read';
      readonly live?: Live;
      /**
       * A forked chain passes the call on to the node that it was forked from, where the call asks for a block before
       * the fork or for a transaction or hash that isn't here: block tags are replaced by numbers. A function adds the
       * parameters whose defaults name a block.
       */
      readonly forkable?: true | ((params: readonly unknown[]) => readonly unknown[]);
    }
  | { readonly kind: 'node'; readonly live?: Live }
  | {
      readonly kind: 'send';
      /**
       * The method that sends in the same way and answers the hash, where this one waits for the receipt. A follower passes
       * on a call of that one, and waits for the receipt on its own chain.
       */
      readonly receiptOf?: string;
    }
  | {
      readonly kind: 'dev';
      /** `false` where a recording has no call of it; the reason stands beside it. */
      readonly recorded?: false;
    };

/** A read that sees the chain as it is by then, like the settings beside it in the answer; so do the reads after it. */
type Live = true;

/** One RPC method, ready to be called. */
export type RpcMethod = MethodKind & {
  readonly name: string;
  /**
   * Decodes the parameters and runs the handler.
   * @returns wire JSON
   * @throws DevnetError; `invalidParams` when the parameters don't decode or are too many
   */
  readonly call: (context: RpcContext, params: readonly unknown[]) => unknown;
};

/**
 * Makes a method of its name, its kind, the codecs of its parameters and a handler, which sees decoded values only. A
 * missing parameter reaches its codec as `undefined`: `optional` ones take it, others refuse.
 */
export function defineMethod<const C extends Codecs>(
  definition: MethodKind & {
    readonly name: string;
    readonly params: C;
    readonly handler: (context: RpcContext, ...params: DecodedAll<C>) => unknown;
  },
): RpcMethod {
  const { params: codecs, handler, ...facts } = definition;
  const paths = codecs.map((_, i) => `params[${i}]`);
  return {
    ...facts,
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
