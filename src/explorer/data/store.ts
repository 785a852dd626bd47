import { batch, type Signal, signal } from '@preact/signals';
import type { Clock } from '../../clock.ts';
import type { Status } from '../../rpc/read/status.ts';
import { TransactionLifecycles } from './lifecycles.ts';
import { Outcomes } from './outcomes.ts';
import { Recalled } from './recalled.ts';
import type { Block, FlashblockDiff, Hex, Transaction } from './types.ts';

/** A flashblock as the page saw it. */
export interface Flash {
  readonly block: number;
  /** position in the block; 0 opens it */
  readonly index: number;
  /** gas used by the transactions that the flashblock added */
  readonly gas: number;
  readonly transactions: number;
  /** time at which the page received it, milliseconds */
  readonly at: number;
  /** whether it came later than 1.5 intervals after the flashblock before it */
  readonly late: boolean;
}

/** The block being built. */
export interface Pending {
  readonly block: Block;
  readonly payloadId: Hex;
  /** index of its newest flashblock */
  readonly index: number;
  /** whether the page knows all of its flashblocks */
  readonly whole: boolean;
  /** number of transactions in the block after each flashblock; the first entry may stand for several flashblocks */
  readonly ends: readonly number[];
}

/** A transaction with its block and flashblock. */
export interface Placed {
  readonly transaction: Transaction;
  readonly block: number;
  readonly flashblock: number | undefined;
}

/** Limit of the sealed blocks that are kept. */
export const KEPT_BLOCKS = 30;
const KEPT_FLASHES = 240;
const KEPT_TRANSACTIONS = 40;
/** Limit of the blocks whose flashblock boundaries are kept. */
const KEPT_GROUPS = 500;

/** The page's copy of the chain. Components see changes through signals. */
export class Store {
  readonly #clock: Pick<Clock, 'now'>;
  readonly #groups = new Map<Hex, readonly number[]>();
  #lastFlashAt: number | undefined;
  readonly lifecycles = new TransactionLifecycles();
  readonly outcomes = new Outcomes();
  /** flashblocks from before the page was opened */
  readonly recalled: Signal<Recalled> = signal(new Recalled());
  readonly status: Signal<Status | undefined> = signal(undefined);
  /** the newest sealed blocks, the oldest first */
  readonly sealed: Signal<readonly Block[]> = signal([]);
  readonly pending: Signal<Pending | undefined> = signal(undefined);
  readonly flashes: Signal<readonly Flash[]> = signal([]);
  /** the newest transactions in blocks, the newest first */
  readonly recent: Signal<readonly Placed[]> = signal([]);

  constructor(deps: { clock: Pick<Clock, 'now'> }) {
    this.#clock = deps.clock;
  }

  get head(): Block | undefined {
    return this.sealed.peek().at(-1);
  }

  knows(hash: Hex): boolean {
    return this.sealed.peek().some((block) => block.hash === hash);
  }

  /** The number of transactions in a sealed block after each of its flashblocks; `undefined` if neither page nor node remembers. */
  groupsOf({ hash, number, transactions }: Block): readonly number[] | undefined {
    const seen = this.#groups.get(hash);
    if (seen) return seen;
    const ends = this.recalled.value.endsOf(Number(number));
    return ends?.at(-1) === transactions.length ? ends : undefined;
  }

  /** Discards everything, because the node has another chain. */
  reset(): void {
    batch(() => {
      this.#groups.clear();
      this.lifecycles.clear();
      this.outcomes.clear();
      this.recalled.value = new Recalled();
      this.sealed.value = [];
      this.pending.value = undefined;
      this.flashes.value = [];
      this.recent.value = [];
    });
    this.#lastFlashAt = undefined;
  }

  /**
   * Adds the flashblocks from the node's memory that this page hasn't seen.
   * @param interval milliseconds between flashblocks
   */
  recall(recalled: Recalled, interval: number): void {
    const seen = this.flashes.peek();
    const isWhole = (number: number) => seen.some(({ block, index }) => block === number && index === 0);
    const added = recalled.flashes(interval).filter(({ block }) => !isWhole(block));
    const numbers = new Set(added.map(({ block }) => block));
    const pending = this.pending.peek();
    batch(() => {
      this.recalled.value = recalled;
      const all = [...added, ...seen.filter(({ block }) => !numbers.has(block))];
      this.flashes.value = all.sort((a, b) => a.block - b.block || a.index - b.index).slice(-KEPT_FLASHES);
      if (!pending || pending.whole) return;
      const number = Number(pending.block.number);
      const ends = recalled.endsOf(number)?.slice(0, pending.index + 1);
      if (
        recalled.payloadOf(number) === pending.payloadId &&
        ends?.at(-1) === pending.block.transactions.length
      )
        this.pending.value = { ...pending, whole: true, ends };
    });
  }

  /** Forgets when the last flashblock came: the page wasn't listening, so the next one can't be called late. */
  resume(): void {
    this.#lastFlashAt = undefined;
  }

  /** A transaction entered the mempool. */
  sent(hash: Hex): void {
    this.lifecycles.add(hash, { kind: 'sent', at: this.#clock.now() });
  }

  /** Sets the block being built. @param newest its newest flashblock */
  begin(block: Block, { payloadId, index }: Pick<FlashblockDiff, 'payloadId' | 'index'>): void {
    const old = this.pending.peek()?.block;
    batch(() => {
      if (old?.number === block.number) this.#dropped(old, block);
      this.pending.value = { block, payloadId, index, whole: index === 0, ends: [block.transactions.length] };
      // The flashblock of each transaction isn't known. Transactions sent before the page was opened have no events to add to.
      for (const { hash } of block.transactions)
        if (this.lifecycles.of(hash).length > 0)
          this.lifecycles.add(hash, {
            kind: 'preconfirmed',
            at: this.#clock.now(),
            block: Number(block.number),
            flashblock: undefined,
          });
      this.#addRecent(block.transactions, Number(block.number), undefined);
    });
  }

  /**
   * Adds a flashblock to the block being built.
   * @param interval milliseconds between flashblocks
   * @returns whether the flashblock could be appended: false if flashblocks before it are missing
   */
  grown(diff: FlashblockDiff, interval: number): boolean {
    const { payloadId, index } = diff;
    const added = diff.block.transactions;
    const number = Number(diff.block.number);
    const before = this.pending.peek();
    const isSame = before?.payloadId === payloadId;
    if (isSame && index <= before.index) return true;
    const old = isSame && index === before.index + 1 ? before : undefined;
    if (!old && index !== 0) return false;
    const transactions = old ? [...old.block.transactions, ...added] : added;
    const block = { ...diff.block, transactions };
    const now = this.#clock.now();
    const gas = Number(block.gasUsed) - Number(old?.block.gasUsed ?? 0);
    const waited = this.#lastFlashAt === undefined ? 0 : now - this.#lastFlashAt;
    const late = index !== 0 && !this.status.peek()?.mode.manualClock && waited > 1.5 * interval;
    this.#lastFlashAt = now;
    batch(() => {
      if (!old && before?.block.number === block.number) this.#dropped(before.block, block);
      const ends = [...(old?.ends ?? []), transactions.length];
      this.pending.value = { block, payloadId, index, whole: old?.whole ?? true, ends };
      const earlier = this.flashes.peek().filter((it) => old || it.block !== number);
      const flash = { block: number, index, gas, transactions: added.length, at: now, late };
      this.flashes.value = [...earlier, flash].slice(-KEPT_FLASHES);
      for (const { hash } of added)
        this.lifecycles.add(hash, { kind: 'preconfirmed', at: now, block: number, flashblock: index });
      if (added.length > 0) this.outcomes.add(added.map(({ hash }, i) => [hash, diff.failed.includes(i)]));
      this.#addRecent(added, number, index);
    });
    return true;
  }

  /**
   * Adds sealed blocks, the oldest first. Known blocks with the number of the first one or higher that aren't among them
   * are no longer part of the chain.
   */
  seal(blocks: readonly Block[]): void {
    const [first] = blocks;
    if (!first) return;
    const from = Number(first.number);
    const at = this.#clock.now();
    const hashes = new Set(blocks.map(({ hash }) => hash));
    batch(() => {
      const kept = this.sealed.peek().filter(({ number }) => Number(number) < from);
      for (const block of this.sealed.peek())
        if (Number(block.number) >= from && !hashes.has(block.hash)) this.#reorged(block, blocks);
      for (const block of blocks) if (!this.knows(block.hash)) this.#include(block, at);
      this.sealed.value = [...kept, ...blocks].slice(-KEPT_BLOCKS);
      this.outcomes.inBlocks = this.sealed.peek().reduce((sum, it) => sum + it.transactions.length, 0);
      const pending = this.pending.peek();
      const head = blocks.at(-1)!;
      if (pending && Number(pending.block.number) <= Number(head.number)) this.pending.value = undefined;
    });
  }

  #include(block: Block, at: number): void {
    const number = Number(block.number);
    const pending = this.pending.peek();
    const seen = pending?.block.number === block.number ? pending : undefined;
    if (seen?.whole && seen.block.hash === block.hash) this.#keepGroups(block.hash, seen.ends);
    if (seen) this.#dropped(seen.block, block);
    const shown = new Set(seen?.block.transactions.map(({ hash }) => hash));
    // Transactions without events get none: the block may be an old one, and the time of sealing isn't known.
    for (const { hash } of block.transactions)
      if (this.lifecycles.of(hash).length > 0)
        this.lifecycles.add(hash, { kind: 'sealed', at, block: number });
    this.#addRecent(
      block.transactions.filter(({ hash }) => !shown.has(hash)),
      number,
      undefined,
    );
  }

  #keepGroups(hash: Hex, ends: readonly number[]): void {
    this.#groups.set(hash, ends);
    if (this.#groups.size > KEPT_GROUPS)
      for (const oldest of this.#groups.keys()) return void this.#groups.delete(oldest);
  }

  /** Marks the transactions of the old block that are missing in the new one as dropped. */
  #dropped(old: Block, block: Block): void {
    const kept = new Set(block.transactions.map(({ hash }) => hash));
    const at = this.#clock.now();
    const gone = new Set<Hex>();
    for (const { hash } of old.transactions)
      if (!kept.has(hash)) {
        gone.add(hash);
        this.lifecycles.add(hash, { kind: 'dropped', at, block: Number(old.number) });
      }
    if (gone.size > 0)
      this.recent.value = this.recent.peek().filter(({ transaction }) => !gone.has(transaction.hash));
  }

  #reorged(block: Block, by: readonly Block[]): void {
    const at = this.#clock.now();
    const number = Number(block.number);
    const kept = new Set(by.flatMap(({ transactions }) => transactions.map(({ hash }) => hash)));
    for (const { hash } of block.transactions)
      this.lifecycles.add(hash, { kind: 'reorged', at, block: number });
    this.flashes.value = this.flashes.peek().filter((flash) => flash.block !== number);
    this.recent.value = this.recent
      .peek()
      .filter(({ transaction, block: place }) => place !== number || kept.has(transaction.hash));
  }

  #addRecent(transactions: readonly Transaction[], block: number, flashblock: number | undefined): void {
    if (transactions.length === 0) return;
    const added = transactions
      .slice(-KEPT_TRANSACTIONS)
      .reverse()
      .map((transaction) => ({ transaction, block, flashblock }));
    const hashes = new Set(added.map(({ transaction }) => transaction.hash));
    const earlier = this.recent.peek().filter(({ transaction }) => !hashes.has(transaction.hash));
    this.recent.value = [...added, ...earlier].slice(0, KEPT_TRANSACTIONS);
  }
}
