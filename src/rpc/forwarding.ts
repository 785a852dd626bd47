import { hexToBytes, type PrefixedHexString } from '@ethereumjs/util';
import { andThen } from '../state/view.ts';
import { isObject } from './codec/codec.ts';
import { hash32 } from './codec/values.ts';
import type { RpcContext } from './context.ts';
import type { RpcMethod } from './define-method.ts';
import { formatReceipt } from './format/receipt.ts';
import type { ForwardedRequest } from './forwarded-request.ts';
import { MAX_MS } from './send/sync-timeout.ts';

/**
 * Sends a call to another node. @param forwarded notes on the request that the call is in @throws DevnetError, with the other node's code if it answered
 */
export type Forward = (
  method: string,
  params: readonly unknown[],
  forwarded?: ForwardedRequest,
) => Promise<unknown>;

/**
 * Wraps methods for a follower: it answers reads of what it executed itself, and forwards all other calls.
 * @param isLeader whether this node makes the blocks now; if so, it answers all calls itself
 */
export function forwarding(
  methods: readonly RpcMethod[],
  forward: Forward,
  isLeader: () => boolean = () => false,
): readonly RpcMethod[] {
  return methods.map((method) => {
    const { needsMempool, isMissing } = method.kind === 'read' ? method : {};
    if (isMissing) return askingOther(method, isMissing, forward, isLeader);
    if (method.kind === 'read' && !needsMempool) return method;
    const waits = method.kind === 'send' && method.answersReceipt;
    const own = method.kind === 'node' ? method.own : undefined;
    return {
      ...method,
      call: async (context, params) => {
        if (isLeader() || needsMempool?.(params) === false) return method.call(context, params);
        if (waits) return sendAndWait(context, method.name, params, forward);
        let answer: unknown;
        try {
          answer = await forward(method.name, params, context.forwarded);
        } catch (error) {
          // This node may have become the leader in the meantime. A call that may have changed the chain isn't repeated.
          if (!isLeader() || method.kind === 'send' || method.kind === 'dev') throw error;
          return method.call(context, params);
        }
        return own ? { ...(answer as object), ...own(context) } : answer;
      },
    };
  });
}

/** The other node's answer; `undefined` if it didn't answer. */
class OtherAnswer {
  readonly answer: unknown;

  constructor(answer: unknown) {
    this.answer = answer;
  }
}

/** How long a follower may take to execute what the other node has pre-confirmed, in milliseconds. */
const MAX_BEHIND_MS = 1_000;

/**
 * Wraps a method that looks up a transaction, for a follower. A transaction that isn't in the follower's chain may be waiting in the other
 * node's mempool; that node may delay its answer, as it does for its own clients. The look-ups of a batch are forwarded together. If the
 * transaction is in a block by then, it is read from the follower's chain, so that it is consistent with other reads.
 */
function askingOther(
  method: RpcMethod,
  isMissing: (answer: unknown) => boolean,
  forward: Forward,
  isLeader: () => boolean,
): RpcMethod {
  const ask = async ({ confirmations }: RpcContext, params: readonly unknown[]): Promise<OtherAnswer> => {
    let answer: unknown;
    try {
      answer = await forward(method.name, params);
    } catch {
      // The other node can't be reached, so this node's answer has to do.
      return new OtherAnswer(undefined);
    }
    if (isObject(answer) && typeof answer.blockHash === 'string' && typeof answer.hash === 'string')
      await confirmations.of(hexToBytes(answer.hash as PrefixedHexString), MAX_BEHIND_MS).catch(() => {});
    return new OtherAnswer(answer);
  };
  return {
    ...method,
    hold: (context, params) => {
      // A follower that executes a shared log knows the part of the mempool that is in the log.
      const holding = method.hold?.(context, params);
      if (holding || isLeader()) return holding;
      const askIfMissing = (own: unknown) => (isMissing(own) ? ask(context, params) : undefined);
      try {
        const own = method.call(context, params);
        // If the method fails, `call` reports the error.
        return own instanceof Promise ? own.then(askIfMissing).catch(() => undefined) : askIfMissing(own);
      } catch {
        return undefined;
      }
    },
    call: (context, params, held) =>
      andThen(method.call(context, params, held instanceof OtherAnswer ? undefined : held), (own) => {
        if (isLeader() || !isMissing(own)) return own;
        if (held instanceof OtherAnswer) return held.answer ?? own;
        return ask(context, params).then(({ answer }) => answer ?? own);
      }),
  };
}

/**
 * Forwards a send, and waits for the receipt on this node. The other node waits, because it knows when the transaction is dropped or
 * replaced. The receipt is this node's own, so that a subsequent read is consistent with it.
 */
async function sendAndWait(
  { confirmations, forwarded }: RpcContext,
  method: string,
  params: readonly unknown[],
  forward: Forward,
): Promise<unknown> {
  const receipt = await forward(method, params, forwarded);
  const hash = isObject(receipt) ? receipt.transactionHash : undefined;
  const { block, index } = await confirmations.of(hash32.decode(hash, 'the answer'), MAX_MS);
  return formatReceipt(block, index);
}
