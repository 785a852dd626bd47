import type { BlockView } from '../../chain/block.ts';
import type { Clock } from '../../clock.ts';
import type { Mempool } from '../../mempool/mempool.ts';
import type { Feed, FeedEvents, Flashblock } from '../../sequencer/feed/feed.ts';
import { latin1Key } from '../../state/hex-key.ts';

/** Something that happened to a transaction. */
export type LifeEvent = {
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
type Life = LifeEvent[];

/** Maximum number of events per transaction: a test suite may send the same transaction again after each `evm_revert`. */
const MAX_EVENTS = 32;

const NONE: readonly LifeEvent[] = [];

interface TransactionLivesDeps {
  readonly feed: Feed;
  readonly mempool: Pick<Mempool, 'onAdd'>;
  /** the machine's */
  readonly clock: Pick<Clock, 'now'>;
}

/**
 * Remembers what happened to the newest transactions, and when. This runs for every send and block, so it is cheap: an event costs at most
 * one look-up in a map, and transactions with the same event share its object. The transactions themselves aren't kept.
 */
export class TransactionLives {
  readonly #most: number;
  readonly #clock: TransactionLivesDeps['clock'];
  /**
   * By hash: the newest transactions, and as many older ones. When the first map is full, it becomes the second. Deleting the oldest
   * entries of a single map would be much slower, because its iterator passes all deleted entries.
   */
  #newer = new Map<string, Life>();
  #older: ReadonlyMap<string, Life> = new Map();
  /** the sealed blocks whose transactions are remembered here, oldest first */
  readonly #sealed: { readonly number: bigint; readonly lives: readonly Life[] }[] = [];
  /** number of lives in {@link #sealed} */
  #held = 0;
  /** the last `received` event, which transactions received in the same millisecond share */
  #received: LifeEvent | undefined;
  /** the transactions of the open block */
  #open: { readonly number: bigint; readonly lives: Life[] } | undefined;

  /** @param options.most at least so many of the newest transactions are remembered, and at most twice as many */
  constructor(options: { readonly most: number }, { feed, mempool, clock }: TransactionLivesDeps) {
    this.#most = options.most;
    this.#clock = clock;
    mempool.onAdd(({ hash }) => this.#receive(hash));
    feed.on('preconfirmed', (flashblock) => this.#preconfirm(flashblock));
    feed.on('sealed', (block) => this.#seal(block));
    feed.on('back', ({ to }) => this.#takeBack(to));
    feed.on('begun', () => this.#takeBack(-1n));
    feed.on('dropped', (drop) => this.#drop(drop));
  }

  /** Returns the remembered events of a transaction, oldest first. */
  of(hash: Uint8Array): readonly LifeEvent[] {
    return this.#find(latin1Key(hash)) ?? NONE;
  }

  /** Records that a sent transaction was rejected. */
  refuse(hash: Uint8Array, reason: string): void {
    this.#add(this.#of(hash), { event: 'refused', at: this.#clock.now(), reason });
  }

  #receive(hash: Uint8Array): void {
    const key = latin1Key(hash);
    // A transaction that is received again counts as new.
    const life = this.#newer.get(key) ?? this.#keep(key, this.#older.get(key) ?? []);
    const at = this.#clock.now();
    if (this.#received?.at !== at) this.#received = { event: 'received', at };
    this.#add(life, this.#received);
  }

  #preconfirm({ index, block: { header }, transactions }: Flashblock): void {
    const at = this.#clock.now();
    const block = header.number;
    // A block that is built again replaces its earlier flashblocks.
    if (index === 0) this.#closeOpen(at);
    this.#open ??= { number: block, lives: [] };
    const event: LifeEvent = { event: 'preconfirmed', at, block, flashblock: index };
    for (const { hash } of transactions) {
      const life = this.#of(hash);
      this.#add(life, event);
      this.#open.lives.push(life);
    }
  }

  #seal({ header, transactions }: BlockView): void {
    const at = this.#clock.now();
    if (transactions.length > 0) {
      const block = header.number;
      // The lives of an open block's transactions were looked up when the transactions were pre-confirmed.
      const open = this.#open?.number === block ? this.#open.lives : undefined;
      const isOpen = open?.length === transactions.length;
      const lives = isOpen ? open : transactions.map(({ hash }) => this.#of(hash));
      const event: LifeEvent = { event: 'sealed', at, block };
      for (const life of lives) this.#add(life, event);
      this.#sealed.push({ number: block, lives });
      this.#held += lives.length;
      while (this.#held > this.#most && this.#sealed.length > 1)
        this.#held -= this.#sealed.shift()!.lives.length;
    }
    this.#closeOpen(at);
  }

  /** Called when the open block is sealed or discarded: transactions that are still only pre-confirmed no longer are. */
  #closeOpen(at: number): void {
    if (!this.#open) return;
    const { number: block, lives } = this.#open;
    this.#open = undefined;
    for (const life of lives)
      if (life.at(-1)?.event === 'preconfirmed') this.#add(life, { event: 'reorged', at, block });
  }

  /** Records that the blocks above `to` were removed. */
  #takeBack(to: bigint): void {
    const at = this.#clock.now();
    this.#closeOpen(at);
    for (let last = this.#sealed.at(-1); last && last.number > to; last = this.#sealed.at(-1)) {
      this.#sealed.pop();
      this.#held -= last.lives.length;
      for (const life of last.lives) this.#add(life, { event: 'reorged', at, block: last.number });
    }
  }

  #drop({ transaction, reason, by }: FeedEvents['dropped']): void {
    const at = this.#clock.now();
    const life = this.#of(transaction.hash);
    this.#add(life, by ? { event: 'replaced', at, reason, by } : { event: 'dropped', at, reason });
  }

  #of(hash: Uint8Array): Life {
    const key = latin1Key(hash);
    return this.#find(key) ?? this.#keep(key, []);
  }

  #find(key: string): Life | undefined {
    return this.#newer.get(key) ?? this.#older.get(key);
  }

  #keep(key: string, life: Life): Life {
    if (this.#newer.size >= this.#most) {
      this.#older = this.#newer;
      this.#newer = new Map();
    }
    this.#newer.set(key, life);
    return life;
  }

  #add(life: Life, event: LifeEvent): void {
    life.push(event);
    if (life.length > MAX_EVENTS) life.shift();
  }
}
