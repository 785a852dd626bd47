import { hexToBytes, type PrefixedHexString } from '@ethereumjs/util';
import { andThen } from '../state/view.ts';
import { isObject } from './codec/codec.ts';
import { hash32 } from './codec/values.ts';
import type { RpcContext } from './context.ts';
import type { RpcMethod } from './define-method.ts';
import { formatReceipt } from './format/receipt.ts';
import type { Passage } from './passage.ts';
import { MAX_MS } from './send/sync-timeout.ts';

/** Asks another node. @param passage of the request that the call is of @throws DevnetError, with the other node's code where it answered */
export type Forward = (method: string, params: readonly unknown[], passage?: Passage) => Promise<unknown>;

/**
 * A follower's methods: reads of what it executed itself are answered here, all others by the other node.
 * @param leads whether this node makes the blocks by now; it then answers everything itself
 */
export function forwarding(
  methods: readonly RpcMethod[],
  forward: Forward,
  leads: () => boolean = () => false,
): readonly RpcMethod[] {
  return methods.map((method) => {
    const { needsMempool, isMissing } = method.kind === 'read' ? method : {};
    if (isMissing) return lookingFurther(method, isMissing, forward, leads);
    if (method.kind === 'read' && !needsMempool) return method;
    const waits = method.kind === 'send' && method.answersReceipt;
    const own = method.kind === 'node' ? method.own : undefined;
    return {
      ...method,
      call: async (context, params) => {
        if (leads() || needsMempool?.(params) === false) return method.call(context, params);
        if (waits) return sendAndWait(context, method.name, params, forward);
        let answer: unknown;
        try {
          answer = await forward(method.name, params, context.passage);
        } catch (error) {
          // This node has become the other one's successor meanwhile. What may have changed the chain isn't done twice.
          if (!leads() || method.kind === 'send' || method.kind === 'dev') throw error;
          return method.call(context, params);
        }
        return own ? { ...(answer as object), ...own(context) } : answer;
      },
    };
  });
}

/** What the other node has answered; `undefined` when it didn't. */
class Told {
  readonly answer: unknown;

  constructor(answer: unknown) {
    this.answer = answer;
  }
}

/** How long a follower may take to execute what the other node has pre-confirmed, milliseconds. */
const BEHIND = 1_000;

/**
 * A follower's look-up of a transaction. What isn't in its own chain may wait in the other node's mempool, which holds the
 * answer as it would its own; those of a batch are asked for together. One that is in a block by then is read from the own
 * chain, so that other reads agree with it.
 */
function lookingFurther(
  method: RpcMethod,
  isMissing: (answer: unknown) => boolean,
  forward: Forward,
  leads: () => boolean,
): RpcMethod {
  const ask = async ({ confirmations }: RpcContext, params: readonly unknown[]): Promise<Told> => {
    let answer: unknown;
    try {
      answer = await forward(method.name, params);
    } catch {
      // Without the other node, what is known here is all that is known.
      return new Told(undefined);
    }
    if (isObject(answer) && typeof answer.blockHash === 'string' && typeof answer.hash === 'string')
      await confirmations.of(hexToBytes(answer.hash as PrefixedHexString), BEHIND).catch(() => {});
    return new Told(answer);
  };
  return {
    ...method,
    hold: (context, params) => {
      // A follower that executes a shared log has the mempool as far as the log tells.
      const holding = method.hold?.(context, params);
      if (holding || leads()) return holding;
      const askIfMissing = (own: unknown) => (isMissing(own) ? ask(context, params) : undefined);
      try {
        const own = method.call(context, params);
        // Where it fails, the call says what is wrong.
        return own instanceof Promise ? own.then(askIfMissing).catch(() => undefined) : askIfMissing(own);
      } catch {
        return undefined;
      }
    },
    call: (context, params, held) =>
      andThen(method.call(context, params, held instanceof Told ? undefined : held), (own) => {
        if (leads() || !isMissing(own)) return own;
        if (held instanceof Told) return held.answer ?? own;
        return ask(context, params).then(({ answer }) => answer ?? own);
      }),
  };
}

/**
 * The other node waits, since it knows when the transaction is dropped or replaced. The receipt is this node's own, so that a
 * read right after the answer agrees with it.
 */
async function sendAndWait(
  { confirmations, passage }: RpcContext,
  method: string,
  params: readonly unknown[],
  forward: Forward,
): Promise<unknown> {
  const receipt = await forward(method, params, passage);
  const hash = isObject(receipt) ? receipt.transactionHash : undefined;
  const { block, index } = await confirmations.of(hash32.decode(hash, 'the answer'), MAX_MS);
  return formatReceipt(block, index);
}
