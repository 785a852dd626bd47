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
  /** `reorged`: the block was taken back, or begun anew */
  | { readonly event: 'sealed' | 'reorged'; readonly block: bigint }
  | { readonly event: 'dropped' | 'refused'; readonly reason: string }
  /** @param by hash of the transaction with the same sender and nonce */
  | { readonly event: 'replaced'; readonly reason: string; readonly by: Uint8Array }
);

/** The events of a transaction, the oldest first. */
type Life = LifeEvent[];

/** Events that are kept of one transaction: a test suite may send the same one again after each `evm_revert`. */
const MOST_EVENTS = 32;

const NONE: readonly LifeEvent[] = [];

interface TransactionLivesDeps {
  readonly feed: Feed;
  readonly mempool: Pick<Mempool, 'onAdd'>;
  /** the machine's */
  readonly clock: Pick<Clock, 'now'>;
}

/**
 * Remembers what happened to the newest transactions, and when. Each send and each block pass here: an event costs a look-up in
 * a map at most, and transactions to which the same happens share the object that says so. No transaction is held.
 */
export class TransactionLives {
  readonly #most: number;
  readonly #clock: TransactionLivesDeps['clock'];
  /**
   * By hash: those that came last, and before them as many others. When the first map is full it takes the place of the
   * second. To delete the oldest of one map costs much more: its iterator passes all that were deleted before.
   */
  #newer = new Map<string, Life>();
  #older: ReadonlyMap<string, Life> = new Map();
  /** the sealed blocks with transactions that are known here, the oldest first */
  readonly #sealed: { readonly number: bigint; readonly lives: readonly Life[] }[] = [];
  /** how many lives {@link #sealed} has */
  #held = 0;
  /** the last event of this kind, for those that come in the same millisecond */
  #received: LifeEvent | undefined;
  /** the transactions of the open block */
  #open: { readonly number: bigint; readonly lives: Life[] } | undefined;

  /** @param options.most how many of the newest transactions are remembered at least; at most twice as many are */
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

  /** What is remembered of a transaction, the oldest event first. */
  of(hash: Uint8Array): readonly LifeEvent[] {
    return this.#find(latin1Key(hash)) ?? NONE;
  }

  /** A transaction that was sent isn't taken. */
  refuse(hash: Uint8Array, reason: string): void {
    this.#add(this.#of(hash), { event: 'refused', at: this.#clock.now(), reason });
  }

  #receive(hash: Uint8Array): void {
    const key = latin1Key(hash);
    // One that comes again is among the newest again.
    const life = this.#newer.get(key) ?? this.#keep(key, this.#older.get(key) ?? []);
    const at = this.#clock.now();
    if (this.#received?.at !== at) this.#received = { event: 'received', at };
    this.#add(life, this.#received);
  }

  #preconfirm({ index, block: { header }, transactions }: Flashblock): void {
    const at = this.#clock.now();
    const block = header.number;
    // A block that is begun anew replaces what was published of it.
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
      // Those of an open block were looked up when they were pre-confirmed.
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

  /** The open block is sealed, or gone: what is still only pre-confirmed then isn't any more. */
  #closeOpen(at: number): void {
    if (!this.#open) return;
    const { number: block, lives } = this.#open;
    this.#open = undefined;
    for (const life of lives)
      if (life.at(-1)?.event === 'preconfirmed') this.#add(life, { event: 'reorged', at, block });
  }

  /** The blocks above `to` are gone. */
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
    if (life.length > MOST_EVENTS) life.shift();
  }
}
