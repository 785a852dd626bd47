import { payloadId } from '../../sequencer/feed/message.ts';
import { type Hex, hex, quantity } from '../codec/hex.ts';
import type { RpcContext } from '../context.ts';

/** Ticks whose timing is in a status: twenty seconds at 200 ms. */
const RECENT = 100;

/** What `devnet_status` answers. */
export type Status = ReturnType<typeof statusOf>;

/** The state of the node at this moment. Times are milliseconds, sizes bytes. */
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
    /** how far chain time is ahead of the machine's by dev methods and timestamps that they set, seconds */
    timeMoved: sequencer.timeMoved,
    /** senders without a key for which the node sends; `all` is every address */
    impersonated: { accounts: record.impersonated, all: record.all },
    subscriptions: context.subscriptions.size,
    memory: { rss, heapUsed },
    recording: recording.running,
    ...context.followed?.(),
    ...context.member?.status(),
  };
}
