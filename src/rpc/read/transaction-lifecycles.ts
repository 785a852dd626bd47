import type { BlockView } from '../../chain/block.ts';
import type { Clock } from '../../clock.ts';
import type { Mempool } from '../../mempool/mempool.ts';
import type { Feed, FeedEvents, Flashblock } from '../../sequencer/feed/feed.ts';
import { latin1Key } from '../../state/hex-key.ts';

/** Something that happened to a transaction. */
export type LifecycleEvent = {
  /** milliseconds since the Unix epoch on the machine's clock */
  readonly at: number;
} & (
  | { readonly event: 'received' }
  | { readonly event: 'preconfirmed'; readonly block: bigint; readonly flashblock: number }
  /** `reorged`: the block was removed, or is built again */
  | { readonly event: 'sealed' | 'reorged'; readonly block: bigint }
  | { readonly event: 'dropped' | 'refused'; readonly reason: string }
  /** @param by hash of the transaction with the same sender and nonce */
  | { readonly event: 'replaced'; readonly reason: string; readonly by: Uint8Array }
);

/** The events of a transaction, the oldest first. */
type Lifecycle = LifecycleEvent[];

/** Maximum number of events per transaction: a test suite may send the same transaction again after each `evm_revert`. */
const MAX_EVENTS = 32;

const NONE: readonly LifecycleEvent[] = [];

interface TransactionLifecyclesDeps {
  readonly feed: Feed;
  readonly mempool: Pick<Mempool, 'onAdd'>;
  /** the machine's */
  readonly clock: Pick<Clock, 'now'>;
}

/**
 * Remembers what happened to the newest transactions, and when. This runs for every send and block, so it is cheap: an event costs at most
 * one look-up in a map, and transactions with the same event share its object. The transactions themselves aren't kept.
 */
export class TransactionLifecycles {
  readonly #most: number;
  readonly #clock: TransactionLifecyclesDeps['clock'];
  /**
   * By hash: the newest transactions, and as many older ones. When the first map is full, it becomes the second. Deleting the oldest
   * entries of a single map would be much slower, because its iterator passes all deleted entries.
   */
  #newer = new Map<string, Lifecycle>();
  #older: ReadonlyMap<string, Lifecycle> = new Map();
  /** the sealed blocks whose transactions are remembered here, oldest first */
  readonly #sealed: { readonly number: bigint; readonly lifecycles: readonly Lifecycle[] }[] = [];
  /** number of lifecycles in {@link #sealed} */
  #held = 0;
  /** the last `received` event, which transactions received in the same millisecond share */
  #received: LifecycleEvent | undefined;
  /** the transactions of the open block */
  #open: { readonly number: bigint; readonly lifecycles: Lifecycle[] } | undefined;

  /** @param options.most at least so many of the newest transactions are remembered, and at most twice as many */
  constructor(options: { readonly most: number }, { feed, mempool, clock }: TransactionLifecyclesDeps) {
    this.#most = options.most;
    this.#clock = clock;
    mempool.onAdd(({ hash }) => this.#receive(hash));
    feed.on('preconfirmed', (flashblock) => this.#preconfirm(flashblock));
    feed.on('sealed', (block) => this.#seal(block));
    feed.on('rewound', ({ to }) => this.#takeBack(to));
    feed.on('begun', () => this.#takeBack(-1n));
    feed.on('dropped', (drop) => this.#drop(drop));
  }

  /** Returns the remembered events of a transaction, oldest first. */
  of(hash: Uint8Array): readonly LifecycleEvent[] {
    return this.#find(latin1Key(hash)) ?? NONE;
  }

  /** Records that a sent transaction was rejected. */
  refuse(hash: Uint8Array, reason: string): void {
    this.#add(this.#of(hash), { event: 'refused', at: this.#clock.now(), reason });
  }

  #receive(hash: Uint8Array): void {
    const key = latin1Key(hash);
    // A transaction that is received again counts as new.
    const lifecycle = this.#newer.get(key) ?? this.#keep(key, this.#older.get(key) ?? []);
    const at = this.#clock.now();
    if (this.#received?.at !== at) this.#received = { event: 'received', at };
    this.#add(lifecycle, this.#received);
  }

  #preconfirm({ index, block: { header }, transactions }: Flashblock): void {
    const at = this.#clock.now();
    const block = header.number;
    // A block that is built again replaces its earlier flashblocks.
    if (index === 0) this.#closeOpen(at);
    this.#open ??= { number: block, lifecycles: [] };
    const event: LifecycleEvent = { event: 'preconfirmed', at, block, flashblock: index };
    for (const { hash } of transactions) {
      const lifecycle = this.#of(hash);
      this.#add(lifecycle, event);
      this.#open.lifecycles.push(lifecycle);
    }
  }

  #seal({ header, transactions }: BlockView): void {
    const at = this.#clock.now();
    if (transactions.length > 0) {
      const block = header.number;
      // The lifecycles of an open block's transactions were looked up when the transactions were pre-confirmed.
      const open = this.#open?.number === block ? this.#open.lifecycles : undefined;
      const isOpen = open?.length === transactions.length;
      const lifecycles = isOpen ? open : transactions.map(({ hash }) => this.#of(hash));
      const event: LifecycleEvent = { event: 'sealed', at, block };
      for (const lifecycle of lifecycles) this.#add(lifecycle, event);
      this.#sealed.push({ number: block, lifecycles });
      this.#held += lifecycles.length;
      while (this.#held > this.#most && this.#sealed.length > 1)
        this.#held -= this.#sealed.shift()!.lifecycles.length;
    }
    this.#closeOpen(at);
  }

  /** Called when the open block is sealed or discarded: transactions that are still only pre-confirmed no longer are. */
  #closeOpen(at: number): void {
    if (!this.#open) return;
    const { number: block, lifecycles } = this.#open;
    this.#open = undefined;
    for (const lifecycle of lifecycles)
      if (lifecycle.at(-1)?.event === 'preconfirmed') this.#add(lifecycle, { event: 'reorged', at, block });
  }

  /** Records that the blocks above `to` were removed. */
  #takeBack(to: bigint): void {
    const at = this.#clock.now();
    this.#closeOpen(at);
    for (let last = this.#sealed.at(-1); last && last.number > to; last = this.#sealed.at(-1)) {
      this.#sealed.pop();
      this.#held -= last.lifecycles.length;
      for (const lifecycle of last.lifecycles)
        this.#add(lifecycle, { event: 'reorged', at, block: last.number });
    }
  }

  #drop({ transaction, reason, by }: FeedEvents['dropped']): void {
    const at = this.#clock.now();
    const lifecycle = this.#of(transaction.hash);
    this.#add(lifecycle, by ? { event: 'replaced', at, reason, by } : { event: 'dropped', at, reason });
  }

  #of(hash: Uint8Array): Lifecycle {
    const key = latin1Key(hash);
    return this.#find(key) ?? this.#keep(key, []);
  }

  #find(key: string): Lifecycle | undefined {
    return this.#newer.get(key) ?? this.#older.get(key);
  }

  #keep(key: string, lifecycle: Lifecycle): Lifecycle {
    if (this.#newer.size >= this.#most) {
      this.#older = this.#newer;
      this.#newer = new Map();
    }
    this.#newer.set(key, lifecycle);
    return lifecycle;
  }

  #add(lifecycle: Lifecycle, event: LifecycleEvent): void {
    lifecycle.push(event);
    if (lifecycle.length > MAX_EVENTS) lifecycle.shift();
  }
}
