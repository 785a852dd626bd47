import { setImmediate } from 'node:timers/promises';
import { DevnetError } from '../../errors.ts';
import type { Mempool } from '../../mempool/mempool.ts';
import type { Feed } from '../../sequencer/feed/feed.ts';
import type { Connection } from '../context.ts';
import type { Delivery } from './delivery.ts';
import type { Topic } from './topic.ts';

interface Subscriber {
  readonly id: string;
  readonly connection: Connection;
  readonly channel: Channel;
  /** whether it gets notifications; false after it was removed */
  active: boolean;
  /** Resolves when the client knows the id; until then, notifications wait. */
  known: Promise<void> | undefined;
}

/** All subscriptions of one topic. */
interface Channel {
  readonly topic: Topic;
  readonly subscribers: Set<Subscriber>;
  /** the present subscribers, for events that wait to be sent; cleared whenever a subscriber is added or removed */
  notified: readonly Subscriber[] | undefined;
  /**
   * Subscription ids of this topic. A connection's first subscription to the topic has the first id, and so on:
   * connections share ids, so that they can share the bytes of each notification.
   */
  readonly ids: string[];
  readonly listening: Disposable;
}

export interface SubscriptionsOptions {
  /** maximum number of subscriptions of a connection; default 1,000 */
  readonly perConnection?: number;
  /** maximum number of events whose notifications wait to be sent; default 4,096. Each holds a block with its receipts. */
  readonly waiting?: number;
}

/**
 * The subscriptions of `eth_subscribe`. Each notification is formatted and serialised once for all subscribers of its topic; a topic
 * without subscribers has no overhead. Notifications are created and sent after the tick, see {@link Delivery}.
 */
export class Subscriptions {
  readonly #perConnection: number;
  readonly #mostWaiting: number;
  readonly #feed: Feed;
  readonly #mempool: Pick<Mempool, 'onAdd'>;
  readonly #delivery: Delivery;
  readonly #channels = new Map<string, Channel>();
  readonly #byConnection = new Map<Connection, Map<string, Subscriber>>();
  #onDropped: ((messages: number) => void) | undefined;
  #count = 0;

  constructor(
    options: SubscriptionsOptions,
    deps: { feed: Feed; mempool: Pick<Mempool, 'onAdd'>; delivery: Delivery },
  ) {
    this.#delivery = deps.delivery;
    this.#perConnection = options.perConnection ?? 1_000;
    this.#mostWaiting = options.waiting ?? 4_096;
    this.#feed = deps.feed;
    this.#mempool = deps.mempool;
  }

  /**
   * Sets the listener that is called with the number of lost notifications, when blocks are made faster than their notifications can be
   * sent.
   */
  whenDropped(listener: (messages: number) => void): void {
    this.#onDropped = listener;
  }

  /** Number of subscriptions of all connections. */
  get size(): number {
    let size = 0;
    for (const { subscribers } of this.#channels.values()) size += subscribers.size;
    return size;
  }

  /**
   * Subscribes a connection to all events from now on, until the connection ends. Notifications are sent in the next turn of the event loop
   * at the earliest, so that the client gets the id first.
   * @returns the subscription's id
   */
  add(connection: Connection, topic: Topic): string {
    const own = this.#of(connection);
    if (own.size >= this.#perConnection)
      throw new DevnetError('limitExceeded', {
        limit: 'the number of subscriptions of a connection',
        max: this.#perConnection,
      });
    const channel = this.#channels.get(topic.key) ?? this.#open(topic);
    const held = new Set([...own.values()].flatMap((it) => (it.channel === channel ? [it.id] : [])));
    let id = channel.ids.find((known) => !held.has(known));
    if (id === undefined) {
      id = `0x${(++this.#count).toString(16)}`;
      channel.ids.push(id);
    }
    const known = setImmediate().then(() => {
      subscriber.known = undefined;
    });
    const subscriber: Subscriber = { id, connection, channel, active: true, known };
    own.set(id, subscriber);
    channel.subscribers.add(subscriber);
    channel.notified = undefined;
    return id;
  }

  /** @returns whether the connection had such a subscription */
  remove(connection: Connection, id: string): boolean {
    const own = this.#byConnection.get(connection);
    const subscriber = own?.get(id);
    if (!own || !subscriber) return false;
    own.delete(id);
    this.#drop(subscriber);
    return true;
  }

  #of(connection: Connection): Map<string, Subscriber> {
    let own = this.#byConnection.get(connection);
    if (own) return own;
    const created = new Map<string, Subscriber>();
    own = created;
    this.#byConnection.set(connection, own);
    connection.onClose(() => {
      this.#byConnection.delete(connection);
      const all = [...created.values()];
      created.clear();
      for (const subscriber of all) this.#drop(subscriber);
    });
    return own;
  }

  #drop(subscriber: Subscriber): void {
    subscriber.active = false;
    const { channel } = subscriber;
    const { subscribers, topic, listening } = channel;
    subscribers.delete(subscriber);
    channel.notified = undefined;
    if (subscribers.size > 0) return;
    this.#channels.delete(topic.key);
    listening[Symbol.dispose]();
  }

  #open(topic: Topic): Channel {
    const subscribers = new Set<Subscriber>();
    const listeners: Disposable[] = [];
    const { flashblock, sealed, removed, added } = topic;
    const send = (results: () => Iterable<string | undefined>) => {
      if (subscribers.size === 0) return;
      if (this.#delivery.waiting >= this.#mostWaiting) {
        this.#onDropped?.(subscribers.size);
        return;
      }
      channel.notified ??= [...subscribers];
      const { notified } = channel;
      this.#delivery.add(() => publish(notified, results()));
    };
    if (flashblock) listeners.push(this.#feed.on('flashblock', (event) => send(() => flashblock(event))));
    if (sealed) listeners.push(this.#feed.on('sealed', (event) => send(() => sealed(event))));
    if (removed) listeners.push(this.#feed.on('removed', (event) => send(() => removed(event))));
    if (added) listeners.push(this.#mempool.onAdd((event) => send(() => added(event))));
    const listening = {
      [Symbol.dispose]: () => {
        for (const listener of listeners) listener[Symbol.dispose]();
      },
    };
    const channel: Channel = { topic, subscribers, notified: undefined, ids: [], listening };
    this.#channels.set(topic.key, channel);
    return channel;
  }
}

/** Sends notifications. Yields after each connection, so that other work can run in between. */
function* publish(
  notified: readonly Subscriber[],
  results: Iterable<string | undefined>,
): Iterable<Promise<void> | undefined> {
  for (const { known } of notified) if (known) yield known;
  for (const result of results) {
    if (!notified.some(({ active }) => active)) return;
    if (result === undefined) {
      yield undefined;
      continue;
    }
    const byId = new Map<string, Buffer>();
    for (const { id, connection, active } of notified) {
      if (!active) continue;
      let bytes = byId.get(id);
      if (!bytes) {
        bytes = Buffer.from(
          `{"jsonrpc":"2.0","method":"eth_subscription","params":{"subscription":"${id}","result":${result}}}`,
        );
        byId.set(id, bytes);
      }
      connection.notify(bytes);
      yield undefined;
    }
  }
}
