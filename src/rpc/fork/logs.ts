import type { BlockView } from '../../chain/block.ts';
import type { BlockRef } from '../../chain/refs.ts';
import type { Awaitable } from '../../state/view.ts';
import type { LogCriteria, LogFilter } from '../codec/filter.ts';
import { hex, quantity } from '../codec/hex.ts';
import type { RpcLog } from '../format/log.ts';
import type { ForkContext } from './context.ts';
import { withoutEarliest } from './shared.ts';

/** Returns logs of the chain from which this one was forked, from that chain's node. @param range `blockHash`, or both ends */
export async function remoteLogs(
  fork: ForkContext,
  { addresses, topics }: LogCriteria,
  range: { readonly blockHash: string } | { readonly fromBlock: string; readonly toBlock: string },
): Promise<RpcLog[]> {
  const filter = {
    ...range,
    ...(addresses.length > 0 && { address: addresses.map(({ bytes }) => hex(bytes)) }),
    topics: topics.map((choices) => (choices.length === 0 ? null : choices.map(hex))),
  };
  // The logs are passed on without a check: a node may add fields of its own.
  return (await fork.request('eth_getLogs', [filter])) as RpcLog[];
}

/** Returns the logs of the part of a range that is on the chain from which this one was forked; `undefined` if there is no such part. */
export function logsBefore(
  fork: ForkContext,
  filter: LogFilter,
  ends: readonly [BlockView, BlockView] | undefined,
): Promise<RpcLog[]> | undefined {
  const asked = (ref: BlockRef | undefined, end: BlockView | undefined) =>
    ref && 'number' in ref ? ref.number : end!.header.number;
  const from = asked(filter.fromBlock, ends?.[0]);
  const to = asked(filter.toBlock, ends?.[1]);
  if (from > fork.number) return undefined;
  const toBlock = quantity(to < fork.number ? to : fork.number);
  return remoteLogs(fork, filter, { fromBlock: quantity(from), toBlock });
}

/** Replaces the tag `earliest` in a filter by the number of the other chain's first block. */
export function withNumbers(fork: ForkContext, filter: LogFilter): Awaitable<LogFilter> {
  const { fromBlock, toBlock } = filter;
  const isEarliest = (ref: BlockRef | undefined) => ref && 'tag' in ref && ref.tag === 'earliest';
  if (!isEarliest(fromBlock) && !isEarliest(toBlock)) return filter;
  const number = async (ref: BlockRef) => withoutEarliest(fork, ref);
  return (async () => ({
    ...filter,
    ...(fromBlock && { fromBlock: await number(fromBlock) }),
    ...(toBlock && { toBlock: await number(toBlock) }),
  }))();
}
