import type { Progress } from '../../../progress.ts';
import { giveWay } from '../../../turns.ts';
import { decodeHeader } from '../../header.ts';
import type { BatchWriter } from '../batch-writer.ts';
import type { CheckedLevel } from '../checked-level.ts';
import { genesisRootOf } from '../genesis-root.ts';
import { keyOf, numberKey, PREFIX, readUint64, sequenceOf } from '../keys.ts';
import { wholeBatch } from '../verify.ts';
import { KeySet } from './key-set.ts';
import { LiveState } from './live-state.ts';
import { FIRST_KEY, type Pruned, prunedMeta, unsweptMeta } from './pruned.ts';

/** Number of blocks that BLOCKHASH can look back: their hashes and headers are kept. */
const HASHES = 256n;
/** Number of keys that are checked in one step, during which no other write runs. */
const SWEEP = 256;
/** Number of keys per part of a sweep. After each part, the space of removed records is freed and the progress stored. */
const PART = 2 ** 16;
/** A part is compacted only if at least one of this many keys was removed: compaction rewrites the other records. */
const WORTH = 8;
/** Sorts after all keys. */
const LAST_KEY = Uint8Array.of(0xff);

/** The blocks that pruning keeps: those from `first` on, and the genesis block. */
export interface KeptRange {
  readonly first: bigint;
  readonly genesis: bigint;
}

export interface PrunerDeps {
  readonly db: CheckedLevel;
  readonly writer: BatchWriter;
  /** roots of states to keep, besides those of the kept blocks */
  readonly roots: (kept: KeptRange) => Iterable<Uint8Array>;
  readonly onError: (error: unknown) => void;
  /** called at each step of a pass, and with `undefined` at its end */
  readonly onProgress?: ((progress: Progress | undefined) => void) | undefined;
}

/** The data that a pass keeps. */
interface Kept extends Pick<Pruned, 'first' | 'batch'> {
  /** keys that were written by the batches from `batch` on */
  readonly recorded: KeySet;
  readonly live: LiveState;
}

interface Swept {
  /** the last checked key; `undefined` if there was none */
  readonly last: Uint8Array | undefined;
  readonly keys: number;
  readonly removed: number;
}

/**
 * Removes old blocks and the state that only they reach, by mark and sweep. A pass starts once twice the number of blocks to keep
 * are stored, so the cost per block doesn't grow with the length of the chain.
 *
 * First, one batch records the first block and the first batch from which on all data is complete. Readers and verification
 * use these, so all older data is garbage from then on. A pass keeps everything that is listed in a batch record from there on
 * (verification reads it back), that a kept state reaches, or that was written after the pass began.
 *
 * The sweep visits the keys in order, in parts. After each part it frees the space of removed records and stores its progress.
 * If the process ends before the sweep, the next process marks again and continues the sweep from there.
 */
export class Pruner {
  readonly #deps: PrunerDeps;
  readonly #keep: bigint | undefined;
  #pruned: Pruned;
  /** the key after which there may be garbage; `undefined` if there is none */
  #unswept: Uint8Array | undefined;
  /** whether an earlier process ended during the next part: some of its records may be removed without their space being freed */
  #isResumed: boolean;
  /** first block that the current pass will keep, until the pass has recorded it */
  #target: bigint | undefined;
  #pass: Promise<void> | undefined;
  #stopped = false;

  /**
   * @param options.keep minimum number of blocks to keep; undefined = all
   * @param options.unswept where an earlier process stopped, see {@link readUnswept}
   */
  constructor(
    options: { keep: bigint | undefined; pruned: Pruned; unswept?: Uint8Array | undefined },
    deps: PrunerDeps,
  ) {
    this.#keep = options.keep;
    this.#pruned = options.pruned;
    this.#unswept = options.unswept;
    this.#isResumed = options.unswept !== undefined;
    this.#deps = deps;
  }

  /** Number of the first block that is stored completely, besides the genesis block. */
  get first(): bigint {
    const { genesis } = this.#deps.writer;
    return this.#pruned.first > genesis ? this.#pruned.first : genesis;
  }

  /** Number of the first block whose state is stored, besides the genesis block's. */
  get states(): bigint {
    return this.#pruned.states > this.first ? this.#pruned.states : this.first;
  }

  /** Starts a pass if one is due. Finishes an interrupted pass first. */
  consider(): void {
    if (this.#pass || this.#stopped) return;
    this.#pass = this.#due()
      ?.catch((error) => {
        // No more changes to a damaged directory.
        this.#stopped = true;
        this.#deps.onError(error);
      })
      .finally(() => {
        this.#pass = undefined;
        this.#target = undefined;
        this.#deps.onProgress?.(undefined);
        // Blocks may have been added in the meantime.
        this.consider();
      });
  }

  #due(): Promise<void> | undefined {
    const { head } = this.#deps.writer;
    const keep = this.#keep;
    if (!head) return undefined;
    if (this.#unswept) return this.#remove(() => this.#deps.writer.settled());
    if (keep === undefined || head.number - this.first + 1n < 2n * keep) return undefined;
    return this.#prune(head.number - keep + 1n);
  }

  /** The extent of the complete data after a rollback to a block; `undefined` if it doesn't change. */
  extentAt(number: bigint): Pruned | undefined {
    // Below `states` only the genesis block has a state, so the chain restarts from the genesis block.
    if (number >= this.states) return undefined;
    return { ...this.#pruned, states: number, ...(number < this.first && { first: number }) };
  }

  /**
   * Must be called after a rollback was written, not before: a pass that starts in between uses the old head.
   * @param pruned the result of {@link extentAt}
   */
  wentBack(number: bigint, pruned: Pruned | undefined): void {
    if (this.#target !== undefined && number < this.#target) this.#target = undefined;
    if (pruned) this.#pruned = pruned;
  }

  /** Must be called when another genesis block has replaced the complete chain. */
  begin(): void {
    this.#target = undefined;
    const { genesis } = this.#deps.writer;
    this.#pruned = { ...this.#pruned, first: genesis, states: genesis };
  }

  set(pruned: Pruned): void {
    this.#pruned = pruned;
  }

  /** Waits until no pass is running or due. */
  async settled(): Promise<void> {
    while (this.#pass) await this.#pass;
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#pass;
  }

  /** @param first number of the first block to keep */
  async #prune(first: bigint): Promise<void> {
    const { db, writer } = this.#deps;
    this.#target = first;
    const newest = writer.sequence;
    // LevelDB can silently lose only data in its log. After the flush, the log contains only batches that verification still
    // reads.
    await db.flush();
    const batch = await this.#firstBatch(first, newest);
    await this.#remove(() =>
      writer.writeAll('prune', () => {
        const { head } = writer;
        if (this.#target === undefined || this.#stopped || !head) return [];
        const pruned = { ...this.#pruned, first, batch };
        const done = () => {
          this.#target = undefined;
          this.#pruned = pruned;
          this.#unswept = FIRST_KEY;
        };
        return [{ entries: [], head, meta: { ...prunedMeta(pruned), ...unsweptMeta(FIRST_KEY) }, done }];
      }),
    );
  }

  /**
   * Removes garbage, if there is any.
   * @param begin called once the keys of all new writes are being recorded. When it resolves, all earlier writes must have ended
   */
  async #remove(begin: () => Promise<void>): Promise<void> {
    const { db, writer } = this.#deps;
    const recorded = new KeySet();
    const unwatch = writer.watch((key) => recorded.add(key));
    try {
      await begin();
      if (!this.#unswept) return;
      const { first, batch } = this.#pruned;
      const { stateRoot } = writer.head!;
      const last = writer.sequence;
      await db.settled();
      for (let sequence = batch; sequence <= last; sequence++) {
        if (this.#stopped) return;
        for (const { key } of wholeBatch(db, sequence).written) {
          recorded.add(key);
          await giveWay();
        }
      }
      const live = await this.#mark(stateRoot, first);
      if (!this.#stopped) await this.#sweep({ first, batch, recorded, live });
    } finally {
      unwatch();
    }
  }

  /**
   * The first batch since which the head was never below `first`: it or later batches wrote all blocks from `first` on.
   */
  async #firstBatch(first: bigint, newest: number): Promise<number> {
    for (let sequence = newest; sequence >= this.#pruned.batch && !this.#stopped; sequence--) {
      if (wholeBatch(this.#deps.db, sequence).head.number < first) return sequence + 1;
      await giveWay();
    }
    return this.#pruned.batch;
  }

  async #mark(head: Uint8Array, first: bigint): Promise<LiveState> {
    const { db, writer, roots, onProgress } = this.#deps;
    const onMarked = (done: number) =>
      onProgress?.({ task: 'Marking the state of the blocks that are kept', done, unit: 'records' });
    const live = new LiveState({ db, onMarked });
    const stopped = () => this.#stopped;
    await live.mark(head, stopped);
    const marked = async (number: bigint) => {
      const hash = db.get(numberKey(number));
      const header = hash && db.get(keyOf(PREFIX.header, hash));
      if (!header) return;
      const patched = db.get(keyOf(PREFIX.stateRoot, hash));
      await live.mark(patched ?? decodeHeader(header).stateRoot, stopped);
    };
    await marked(writer.genesis);
    // Also the genesis block's initial state, to which a reset returns.
    const initial = genesisRootOf(db, writer.genesis);
    // Not stored if the genesis block comes from another chain.
    if (db.get(keyOf(PREFIX.node, initial))) await live.mark(initial, stopped);
    const lowest = first > this.states ? first : this.states;
    for (let number = lowest; number <= writer.head!.number && !stopped(); number++) {
      await marked(number);
      await giveWay();
    }
    // Marked last, so that no snapshot is missed: a snapshot taken during the pass is either in this list, or has the state of
    // a later head, which consists of marked and newly written parts.
    for (const root of [...roots({ first, genesis: writer.genesis })]) await live.mark(root, stopped);
    return live;
  }

  /** Removes all keys from {@link Pruner.#unswept} on that aren't kept. */
  async #sweep(kept: Kept): Promise<void> {
    const { db, onProgress } = this.#deps;
    const isDead = this.#deadOf(kept);
    const total = await db.sizeOf(FIRST_KEY, LAST_KEY);
    for (let after = this.#unswept; after; after = this.#unswept) {
      const left = await db.sizeOf(after, LAST_KEY);
      const done = Math.max(0, total - left);
      onProgress?.({ task: 'Removing old blocks', done, total, unit: 'bytes' });
      const { last, keys, removed } = await this.#sweepPart(after, isDead);
      if (this.#stopped) return;
      // Without compaction, LevelDB frees the space later, when it rewrites these tables by itself.
      if (last && (this.#isResumed || removed * WORTH >= keys)) await db.compact(after, last);
      else await db.flush();
      this.#isResumed = false;
      await this.#note(keys < PART ? undefined : last);
    }
  }

  async #sweepPart(after: Uint8Array, isDead: (key: Uint8Array) => boolean): Promise<Swept> {
    const { db, writer } = this.#deps;
    const swept = { last: undefined as Uint8Array | undefined, keys: 0, removed: 0 };
    for await (const keys of db.keyRuns(after, SWEEP)) {
      if (this.#stopped) break;
      // Runs between two batches, so that no batch writes a key again while it is being checked.
      await writer.alone(async () => {
        const dead = keys.filter(isDead);
        if (dead.length > 0) await db.write([], dead);
        swept.removed += dead.length;
      });
      swept.keys += keys.length;
      swept.last = keys.at(-1);
      if (swept.keys >= PART) break;
      await giveWay();
    }
    return swept;
  }

  /** Stores the sweep's progress: the last checked key, or `undefined` if all keys were checked. */
  async #note(unswept: Uint8Array | undefined): Promise<void> {
    const { writer } = this.#deps;
    await writer.write('meta', unsweptMeta(unswept), () => ({ entries: [], head: writer.head! }));
    this.#unswept = unswept;
  }

  /** Makes a function that decides whether the record of a key is garbage. */
  #deadOf({ first, batch, recorded, live }: Kept): (key: Uint8Array) => boolean {
    const { db, writer } = this.#deps;
    const genesis = db.get(numberKey(writer.genesis))!;
    const named = new KeySet();
    for (const prefix of [PREFIX.header, PREFIX.body, PREFIX.receipts, PREFIX.accessList, PREFIX.stateRoot])
      named.add(keyOf(prefix, genesis));
    const lowest = first - HASHES > writer.genesis ? first - HASHES : writer.genesis + 1n;
    for (let number = lowest; number < first; number++) {
      const hash = db.get(numberKey(number));
      if (hash) named.add(keyOf(PREFIX.header, hash));
    }
    return (key) => {
      if (recorded.has(key) || named.has(key)) return false;
      switch (key[0]) {
        case PREFIX.batch:
          return sequenceOf(key) < batch;
        case PREFIX.number: {
          const number = readUint64(key, 1);
          return number !== writer.genesis && (number < first - HASHES || number > writer.head!.number);
        }
        case PREFIX.logs: {
          const number = readUint64(key, 1);
          return number !== writer.genesis && (number < first || number > writer.head!.number);
        }
        case PREFIX.header:
        case PREFIX.body:
        case PREFIX.receipts:
        case PREFIX.accessList:
        case PREFIX.stateRoot:
        case PREFIX.transaction:
          return true;
        case PREFIX.node:
        case PREFIX.code:
        case PREFIX.preimage:
          return !live.has(key);
        default:
          return false;
      }
    };
  }
}
