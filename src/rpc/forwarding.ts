import { hexToBytes, type PrefixedHexString } from '@ethereumjs/util';
import { DevnetError } from '../errors.ts';
import { string } from './codec/values.ts';
import type { RpcContext } from './context.ts';
import type { RpcMethod } from './define-method.ts';
import { formatReceipt } from './format/receipt.ts';

import { syncTimeout } from './send/sync-timeout.ts';

/** Asks another node. @throws DevnetError, with the other node's code where it answered */
export type Forward = (method: string, params: readonly unknown[]) => Promise<unknown>;

/** All that needs the mempool or changes the chain, and the keys that are sent with: the node that takes the sends has them. */
const FORWARDED =
  /^(eth_send(Raw|Unsigned)?Transaction|eth_pendingTransactions|base_transactionStatus|(txpool|personal|miner|evm|anvil|hardhat)_\w+|devnet_(?!metrics$)\w+)$/;
const SYNC = /^(eth_send(?:Raw)?Transaction)Sync$/;

/**
 * The methods of a node that only follows: what takes transactions or changes the chain is answered by the node that
 * makes the blocks, the rest from what this one has executed itself.
 */
export function forwarding(methods: readonly RpcMethod[], forward: Forward): readonly RpcMethod[] {
  return methods.map((method) => {
    const { name } = method;
    if (FORWARDED.test(name)) return { name, call: (_, params) => forward(name, params) };
    const plain = SYNC.exec(name)?.[1];
    if (plain === undefined) return method;
    return { name, call: (context, params) => sendAndWait(context, plain, params, forward) };
  });
}

/** The receipt is this node's own, so that a read right after the answer agrees with it. */
async function sendAndWait(
  { confirmations }: RpcContext,
  method: string,
  [transaction, ms, ...rest]: readonly unknown[],
  forward: Forward,
): Promise<unknown> {
  if (rest.length > 0)
    throw new DevnetError('invalidParams', { reason: `expected 2 at most, got ${2 + rest.length}` });
  const timeout = syncTimeout.decode(ms, 'params[1]');
  const hash = string.decode(await forward(method, [transaction]), 'the answer');
  const { block, index } = await confirmations.of(hexToBytes(hash as PrefixedHexString), timeout);
  return formatReceipt(block, index);
}
