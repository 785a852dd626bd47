import { payloadId } from '../../sequencer/feed/message.ts';
import { type Hex, hex, quantity } from '../codec/hex.ts';
import type { RpcContext } from '../context.ts';

/** Number of ticks whose timing is in the status: twenty seconds at 200 ms. */
const RECENT = 100;

/** The result of `devnet_status`. */
export type Status = ReturnType<typeof statusOf>;

/** Returns the present state of the node. Times are in milliseconds, sizes in bytes. */
export function statusOf(context: RpcContext) {
  const {
    chain,
    chainId,
    clientVersion,
    instance,
    manualClock,
    pool,
    published,
    recording,
    sequencer,
    signers,
  } = context;
  const { metrics, mode } = sequencer;
  const { header, hash } = chain.latest;
  const { rss, heapUsed } = process.memoryUsage();
  const newest = published().at(-1);
  const record = signers.record();
  return {
    clientVersion,
    /** changes with each start and reset */
    instanceId: hex(instance.id),
    role: instance.role,
    chainId: quantity(chainId),
    mode: { ...mode, manualClock: manualClock !== undefined },
    head: { number: quantity(header.number), hash: hex(hash) } satisfies Record<string, Hex>,
    /** the newest flashblock of the block being built, in modes with pre-confirmation */
    flashblock: newest
      ? {
          payloadId: hex(payloadId(newest.payload, newest.block.header.parentHash)),
          index: newest.index,
          hash: hex(newest.block.hash),
        }
      : null,
    ticks: { ...metrics.report(), recent: metrics.recent(RECENT) },
    mempool: pool.size,
    /** by how much dev methods and timestamps set by them have moved chain time ahead of the machine's clock, seconds */
    timeMoved: sequencer.timeMoved,
    /** senders without a private key for which the node sends; `all`: every address */
    impersonated: { accounts: record.impersonated, all: record.all },
    subscriptions: context.subscriptions.size,
    memory: { rss, heapUsed },
    recording: recording.running,
    ...context.followed?.(),
    ...context.member?.status(),
  };
}
