import type { BlockView } from '../../chain/block.ts';
import type { BlockRef } from '../../chain/refs.ts';
import type { LogCriteria, LogFilter } from '../codec/filter.ts';
import { hex, quantity } from '../codec/hex.ts';
import type { RpcLog } from '../format/log.ts';
import type { ForkContext } from './reader.ts';

/** Logs of the chain that this one was forked from, as its node tells them. @param range `blockHash`, or both ends */
export async function logsElsewhere(
  fork: ForkContext,
  { addresses, topics }: LogCriteria,
  range: { readonly blockHash: string } | { readonly fromBlock: string; readonly toBlock: string },
): Promise<RpcLog[]> {
  const filter = {
    ...range,
    ...(addresses.length > 0 && { address: addresses.map(({ bytes }) => hex(bytes)) }),
    topics: topics.map((choices) => (choices.length === 0 ? null : choices.map(hex))),
  };
  // Not looked into: what another node adds to its logs is handed on.
  return (await fork.request('eth_getLogs', [filter])) as RpcLog[];
}

/** The part of a range that is on the chain which this one was forked from; nothing where there is none. */
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
  return logsElsewhere(fork, filter, { fromBlock: quantity(from), toBlock });
}

/** The earliest block of a forked chain is the other chain's, whose number is taken to be 0. */
export function fromZero({ fromBlock, toBlock, ...filter }: LogFilter): LogFilter {
  const number = (ref: BlockRef) => ('tag' in ref && ref.tag === 'earliest' ? { number: 0n } : ref);
  return {
    ...filter,
    ...(fromBlock && { fromBlock: number(fromBlock) }),
    ...(toBlock && { toBlock: number(toBlock) }),
  };
}
