import { hexToBytes, type PrefixedHexString } from '@ethereumjs/util';
import { DevnetError } from '../errors.ts';
import { string } from './codec/values.ts';
import type { RpcContext } from './context.ts';
import type { RpcMethod } from './define-method.ts';
import { formatReceipt } from './format/receipt.ts';
import { syncTimeout, waitOf } from './send/sync-timeout.ts';

/** Asks another node. @throws DevnetError, with the other node's code where it answered */
export type Forward = (method: string, params: readonly unknown[]) => Promise<unknown>;

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
    const { needsMempool } = method.kind === 'read' ? method : {};
    if (method.kind === 'read' && !needsMempool) return method;
    const plain = method.kind === 'send' ? method.receiptOf : undefined;
    const own = method.kind === 'node' ? method.own : undefined;
    return {
      ...method,
      atOnce: (...request) => (leads() ? method.atOnce?.(...request) : undefined),
      call: async (context, params) => {
        if (leads() || needsMempool?.(params) === false) return method.call(context, params);
        if (plain !== undefined) return sendAndWait(context, plain, params, forward);
        const answer = await forward(method.name, params);
        return own ? { ...(answer as object), ...own(context) } : answer;
      },
    };
  });
}

/** The receipt is this node's own, so that a read right after the answer agrees with it. */
async function sendAndWait(
  context: RpcContext,
  method: string,
  [transaction, ms, ...rest]: readonly unknown[],
  forward: Forward,
): Promise<unknown> {
  if (rest.length > 0)
    throw new DevnetError('invalidParams', { reason: `expected 2 at most, got ${2 + rest.length}` });
  const timeout = waitOf(syncTimeout.decode(ms, 'params[1]'), context);
  const hash = string.decode(await forward(method, [transaction]), 'the answer');
  const { block, index } = await context.confirmations.of(hexToBytes(hash as PrefixedHexString), timeout);
  return formatReceipt(block, index);
}
