import type { LogCriteria } from './codec-filter.ts';
import type { ForkContext } from './fork-reader.ts';
import type { RpcLog } from './format-log.ts';
import { hex } from './hex.ts';

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
