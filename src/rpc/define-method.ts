import type { Transaction } from '../chain/block.ts';
import { DevnetError } from '../errors.ts';
import type { Codec, Decoded } from './codec/codec.ts';
import { decodeInTurns } from './codec/decoding.ts';
import type { RpcContext } from './context.ts';

type Codecs = readonly Codec<unknown>[];
type DecodedAll<C extends Codecs> = { -readonly [K in keyof C]: Decoded<C[K]> };

/**
 * What a method does. This determines which node answers it, which state it sees, and what a recording contains:
 * - `read`: reads blocks and states. Every node answers it itself.
 * - `node`: needs the mempool, keys or mining mode of the node that makes the blocks. A follower forwards it.
 * - `send`: takes a transaction. A follower forwards it. A recording contains the transaction if it is admitted, not the
 * call: a replay needs no keys.
 * - `dev`: changes the chain, or the effect of later calls on it. A follower forwards it. A recording contains the call.
 *
 * The reads of a batch see the same snapshot of the chain, taken at the first of them. A `send` or `dev` method ends this: it sees the
 * current chain, and the next read takes a new snapshot.
 */
export type MethodKind =
  | {
      readonly kind: 'read';
      readonly live?: Live;
      /**
       * On a forked chain, a call for a block, transaction or state from before the fork is forwarded to the node that the chain was forked
       * from, with block tags replaced by numbers.
       */
      readonly forkable?: true;
      /**
       * Returns the hash of the transaction that an answer is about, for methods that don't find it by its hash. If the other node finds a
       * transaction from after the fork, the answer is null.
       */
      readonly transactionOf?: (answer: unknown) => unknown;
      /** Restores the names of the request in the other node's answer, if the other node was asked with other forms of the same names. */
      readonly asNamed?: (answer: unknown, params: readonly unknown[]) => unknown;
      /** Whether the method needs the mempool with these parameters; if so, a follower forwards it like a `node` method. */
      readonly needsMempool?: (params: readonly unknown[]) => boolean;
      /**
       * For methods that find a transaction by hash, or by sender and nonce: whether this answer, possibly a `JsonText`, says that there is
       * none. A follower then forwards the call: the transaction may be waiting in the mempool, which the follower doesn't have.
       */
      readonly isMissing?: (answer: unknown) => boolean;
    }
  | {
      readonly kind: 'node';
      readonly live?: Live;
      /** The fields of the answer that a follower takes from its own chain, so that they are consistent with its reads. */
      readonly own?: (context: RpcContext) => object;
    }
  | {
      readonly kind: 'send';
      /**
       * Whether the method waits for the receipt and returns it (EIP-7966). A follower forwards the call, and then waits for the receipt on
       * its own chain.
       */
      readonly answersReceipt?: true;
    }
  | {
      readonly kind: 'dev';
      /** `false` for a method whose calls needn't be recorded; a comment at the method gives the reason. */
      readonly recorded?: false;
      /** Its only effect is one dev write, see `Controls.patch`. Consecutive calls of this kind in a batch are stored together. */
      readonly writesState?: true;
    };

/**
 * The method reads the current chain, so that its result is consistent with the settings in the same answer. In a batch it ends the shared
 * snapshot, like a `send`.
 */
type Live = true;

/** An RPC method, ready to be called. `Name` is `undefined` in `methods/`, where the name of the export is the name of the method. */
export type RpcMethod<Name extends string | undefined = string> = MethodKind & {
  readonly name: Name;
  /** Its `caller`, `simulator` and `tracing` run with limits on time and memory: see {@link LongRuns}. */
  readonly computes?: boolean;
  /** codecs of the parameters, in order */
  readonly codecs?: readonly Codec<unknown>[];
  /**
   * Decodes the parameters and runs the handler.
   * @param held the result of {@link hold}, if the call was delayed
   * @returns wire JSON
   * @throws DevnetError; `invalidParams` when the parameters don't decode or are too many
   */
  readonly call: (context: RpcContext, params: readonly unknown[], held?: unknown) => unknown;
  /**
   * Delays the call until a transaction's position is known; the snapshot that the call sees is taken afterwards. The calls of a batch are
   * delayed together. Doesn't throw, and the promise doesn't reject.
   * @param context the context with the current chain
   * @returns `undefined` if the call needn't wait
   */
  readonly hold?:
    | ((context: RpcContext, params: readonly unknown[]) => Promise<unknown> | undefined)
    | undefined;
};

/**
 * Defines a method by its kind, the codecs of its parameters (none by default) and a handler, which receives decoded values. A missing
 * parameter is passed to its codec as `undefined`, which `optional` codecs accept and others reject.
 */
export function defineMethod<const C extends Codecs, Name extends string | undefined = undefined>(
  definition: MethodKind & {
    readonly name?: Name;
    readonly computes?: true;
    readonly params?: C;
    /** Waits for a transaction in the mempool to get a position in a block. @returns the transaction as it is in the mempool now */
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
    // TypeScript doesn't infer the tuple; each element was decoded by the codec at its index.
    return decoded as DecodedAll<C>;
  };
  return {
    ...facts,
    name: name as Name,
    codecs,
    call: (context, params, held) => {
      const decoded = decodeInTurns(decode, params, context.pauses);
      // For methods without `hold`, `held` is undefined.
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
          // `call` then reports the error in the parameters.
          return undefined;
        }
        return hold(context, ...decoded);
      }),
  };
}
