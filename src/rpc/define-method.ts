import type { Transaction } from '../chain/block.ts';
import { DevnetError } from '../errors.ts';
import type { Codec, Decoded } from './codec/codec.ts';
import { decodeInTurns } from './codec/decoding.ts';
import type { RpcContext } from './context.ts';

type Codecs = readonly Codec<unknown>[];
type DecodedAll<C extends Codecs> = { -readonly [K in keyof C]: Decoded<C[K]> };

/**
 * What a method does, from which follows who answers it, what it sees, and what a recording keeps of it:
 * - `read`: reads blocks and states. Every node answers it itself.
 * - `node`: needs what only the node that makes the blocks has: its mempool, keys or mining mode. A follower passes it
 *   on.
 * - `send`: takes a transaction. A follower passes it on. A recording has the transaction if it is admitted, not the
 *   call: a replay needs no keys.
 * - `dev`: changes the chain, or what the next calls do to it. A follower passes it on. A recording has the call.
 *
 * The reads of a batch see the chain at the same moment, which is that of the first one. A `send` or `dev` method ends
 * this moment: the method itself sees the current chain, and the next read begins a new moment.
 */
export type MethodKind =
  | {
      readonly kind: 'read';
      readonly live?: Live;
      /**
       * On a forked chain, a call for a block, transaction or state from before the fork is passed on to the node that
       * the chain was forked from, with block tags replaced by numbers.
       */
      readonly forkable?: true;
      /**
       * The hash of the transaction that an answer is about, for a method that finds one by something else than its
       * hash. What the other node finds after the fork point is answered as null.
       */
      readonly transactionOf?: (answer: unknown) => unknown;
      /** Where another node was asked with other names for the same: its answer with the names of the request. */
      readonly asNamed?: (answer: unknown, params: readonly unknown[]) => unknown;
      /** Whether with these parameters it needs the mempool: then a follower passes it on, as a `node` method. */
      readonly needsMempool?: (params: readonly unknown[]) => boolean;
      /**
       * Where it finds a transaction by hash, or by sender and nonce: whether this answer, `JsonText` or not, says that there
       * is none. A follower then passes the call on: the transaction may wait in the mempool, which a follower hasn't.
       */
      readonly isMissing?: (answer: unknown) => boolean;
    }
  | {
      readonly kind: 'node';
      readonly live?: Live;
      /** The fields of the answer that a follower takes from its own chain, so that they agree with its reads. */
      readonly own?: (context: RpcContext) => object;
    }
  | {
      readonly kind: 'send';
      /**
       * Whether it waits for the receipt and answers it (EIP-7966). A follower passes the call on, and then waits for the
       * receipt on its own chain.
       */
      readonly answersReceipt?: true;
    }
  | {
      readonly kind: 'dev';
      /** `false` for a method whose calls a recording doesn't need; the reason is a comment beside it. */
      readonly recorded?: false;
      /** Its only effect is one dev write, see `Controls.patch`. Such calls of a batch that follow each other are stored together. */
      readonly writesState?: true;
    };

/**
 * The read sees the current chain, so that it agrees with the settings in the same answer. In a batch it does as a
 * `send`.
 */
type Live = true;

/** One RPC method, ready to be called. `Name` is `undefined` in `methods/`, where the export has the name. */
export type RpcMethod<Name extends string | undefined = string> = MethodKind & {
  readonly name: Name;
  /** Its `caller`, `simulator` and `tracing` run with a budget: see {@link LongRuns}. */
  readonly computes?: boolean;
  /** of its parameters, in their order */
  readonly codecs?: readonly Codec<unknown>[];
  /**
   * Decodes the parameters and runs the handler.
   * @param held what {@link hold} resolved with, if the call was held
   * @returns wire JSON
   * @throws DevnetError; `invalidParams` when the parameters don't decode or are too many
   */
  readonly call: (context: RpcContext, params: readonly unknown[], held?: unknown) => unknown;
  /**
   * Holds the call: the moment of the chain that it sees begins afterwards. The calls of a batch are held together. Throws
   * nothing; the promise doesn't reject.
   * @param context with the chain as it is
   * @returns `undefined` where the call needn't wait
   */
  readonly hold?:
    | ((context: RpcContext, params: readonly unknown[]) => Promise<unknown> | undefined)
    | undefined;
};

/**
 * Makes a method of its kind, the codecs of its parameters (none by default) and a handler, which sees decoded values
 * only. A missing parameter reaches its codec as `undefined`: `optional` ones take it, others refuse.
 */
export function defineMethod<const C extends Codecs, Name extends string | undefined = undefined>(
  definition: MethodKind & {
    readonly name?: Name;
    readonly computes?: true;
    readonly params?: C;
    /** Waits for what comes of a transaction in the mempool. @returns the transaction as it waits when the call comes */
    readonly hold?: (
      context: RpcContext,
      ...params: DecodedAll<C>
    ) => Promise<Transaction | undefined> | undefined;
    readonly handler: (
      context: RpcContext,
      ...params: [...DecodedAll<C>, held?: Transaction | undefined]
    ) => unknown;
  },
): RpcMethod<Name> {
  const { name, params: codecs = [], handler, hold, ...facts } = definition;
  const paths = codecs.map((_, i) => `params[${i}]`);
  const decode = (params: readonly unknown[]): DecodedAll<C> => {
    if (params.length > codecs.length) {
      const reason = `expected ${codecs.length} at most, got ${params.length}`;
      throw new DevnetError('invalidParams', { reason });
    }
    const decoded: unknown[] = [];
    for (let i = 0; i < codecs.length; i++) decoded.push(codecs[i]!.decode(params[i], paths[i]!));
    // The array has no tuple's type; each place was decoded by the codec of that place.
    return decoded as DecodedAll<C>;
  };
  return {
    ...facts,
    name: name as Name,
    codecs,
    call: (context, params, held) => {
      const decoded = decodeInTurns(decode, params, context.pauses);
      // Methods that don't hold are called without it.
      const found = held as Transaction | undefined;
      return decoded instanceof Promise
        ? decoded.then((values) => handler(context, ...values, found))
        : handler(context, ...decoded, found);
    },
    hold:
      hold &&
      ((context, params) => {
        if (!context.pool.mayHold) return undefined;
        let decoded: DecodedAll<C>;
        try {
          decoded = decode(params);
        } catch {
          // The call says what is wrong with them.
          return undefined;
        }
        return hold(context, ...decoded);
      }),
  };
}
