import { type Awaitable, andThen } from '../../state/view.ts';
import { isObject } from '../codec/codec.ts';
import { type Hex, hex, quantity } from '../codec/hex.ts';
import type { RpcContext } from '../context.ts';
import type { ForkContext } from '../fork/context.ts';
import { sharesTransaction } from '../fork/shared.ts';
import { findTransaction } from './find-transaction.ts';
import type { LifecycleEvent } from './transaction-lifecycles.ts';
import { type Wait, whyItWaits } from './why-it-waits.ts';

/** The result of `devnet_transactionStatus`, which documents it. */
export interface TransactionStatus {
  readonly hash: Hex;
  readonly status:
    | 'waiting'
    | 'preconfirmed'
    | 'sealed'
    | 'dropped'
    | 'replaced'
    | 'reorged'
    | 'refused'
    | 'unknown';
  readonly reason: string | null;
  readonly waitsFor: Wait['waitsFor'] | null;
  readonly replacedBy: Hex | null;
  readonly blockHash: Hex | null;
  readonly blockNumber: Hex | null;
  readonly transactionIndex: Hex | null;
  readonly flashblockIndex: number | null;
  readonly events: readonly TransactionEvent[];
}

export interface TransactionEvent {
  readonly event: LifecycleEvent['event'];
  /** milliseconds since the Unix epoch on the node's clock */
  readonly at: number;
  readonly blockNumber?: Hex;
  readonly flashblockIndex?: number;
  readonly reason?: string;
  readonly replacedBy?: Hex;
}

/** What is known besides hash and events. */
type Known = Pick<TransactionStatus, 'status'> & Partial<TransactionStatus>;

/** Returns the status of a transaction: its place in the chain or in the mempool, or else the last remembered event. */
export function transactionStatus(context: RpcContext, hash: Uint8Array): Awaitable<TransactionStatus> {
  const events = context.lifecycles.of(hash);
  return andThen(knownOf(context, hash, events), (known) => ({
    ...{ hash: hex(hash), reason: null, waitsFor: null, replacedBy: null },
    ...{ blockHash: null, blockNumber: null, transactionIndex: null, flashblockIndex: null },
    ...known,
    events: events.map(formatEvent),
  }));
}

function knownOf(context: RpcContext, hash: Uint8Array, events: readonly LifecycleEvent[]): Awaitable<Known> {
  const found = findTransaction(context, hash);
  if (found?.waiting) return { status: 'waiting', ...whyItWaits(context, found.waiting) };
  if (found?.place) {
    const { block, index } = found.place;
    const { number } = block.header;
    const shown = events.findLast((it) => it.event === 'preconfirmed' && it.block === number);
    return {
      status: block.sealed ? 'sealed' : 'preconfirmed',
      blockHash: hex(block.hash),
      blockNumber: quantity(number),
      transactionIndex: quantity(index),
      flashblockIndex: shown?.event === 'preconfirmed' ? shown.flashblock : null,
    };
  }
  const last = events.at(-1);
  if (last) return endOf(last);
  return context.fork ? beforeFork(context.fork, hex(hash)) : { status: 'unknown' };
}

/** Derives the status of a transaction that is neither in the chain nor in the mempool from its last event. */
function endOf(last: LifecycleEvent): Known {
  switch (last.event) {
    case 'dropped':
    case 'refused':
      return { status: last.event, reason: last.reason };
    case 'replaced':
      return { status: 'replaced', reason: last.reason, replacedBy: hex(last.by) };
    case 'received':
      return { status: 'dropped', reason: 'it is not in the mempool any more' };
    default:
      return {
        status: 'reorged',
        reason: `block ${last.block} was removed by a reorg, or built again without it`,
      };
  }
}

function formatEvent(event: LifecycleEvent): TransactionEvent {
  return {
    event: event.event,
    at: event.at,
    ...('block' in event && { blockNumber: quantity(event.block) }),
    ...('flashblock' in event && { flashblockIndex: event.flashblock }),
    ...('reason' in event && { reason: event.reason }),
    ...('by' in event && { replacedBy: hex(event.by) }),
  };
}

/** Looks up a transaction in the chain from which this one was forked, up to the fork block. */
async function beforeFork(fork: ForkContext, hash: Hex): Promise<Known> {
  const found = await fork.request('eth_getTransactionByHash', [hash]);
  if (!isObject(found) || !(await sharesTransaction(fork, hash))) return { status: 'unknown' };
  const { blockHash, blockNumber, transactionIndex } = found as Partial<TransactionStatus>;
  return {
    status: 'sealed',
    ...(blockHash && { blockHash }),
    ...(blockNumber && { blockNumber }),
    ...(transactionIndex && { transactionIndex }),
  };
}
