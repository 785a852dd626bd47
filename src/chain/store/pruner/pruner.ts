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

/** Number of blocks that BLOCKHASH reaches back: for these, hashes and headers are kept. */
const HASHES = 256n;
/** Keys checked in one step, during which nothing else is written. */
const SWEEP = 256;
/** Keys after which the space of the removed ones is freed, and it is noted how far the sweep is. */
const PART = 2 ** 16;
/** One of so many keys, at least, must have been removed, so that it is worth to write the others anew for its space. */
const WORTH = 8;
/** Comes after all keys. */
const LAST_KEY = Uint8Array.of(0xff);

/** The blocks that pruning leaves: those from `first` on, and the genesis block. */
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

/** What a pass keeps. */
interface Kept extends Pick<Pruned, 'first' | 'batch'> {
  /** keys that were written by the batches from `batch` on */
  readonly recorded: KeySet;
  readonly live: LiveState;
}

interface Swept {
  /** the last key that was looked at; `undefined` = there was none */
  readonly last: Uint8Array | undefined;
  readonly keys: number;
  readonly removed: number;
}

/**
 * Removes old blocks and the state that only they reach, by mark and sweep. A pass starts when as many blocks as are
 * kept have been added on top of them, so the cost per block doesn't grow with the chain.
 *
 * First one batch records from which block and from which batch on everything is there. Readers and verification go
 * by that, so all older data is garbage from then on. A pass keeps everything that was recorded by a batch from there
 * on (verification reads it back), that a kept state reaches, or that was written since.
 *
 * The sweep goes through the keys in their order, in parts. After each part the space of what was removed is freed, and
 * it is noted how far the sweep is. Where the process ends before, the next one marks again, and sweeps on from there.
 */
export class Pruner {
  readonly #deps: PrunerDeps;
  readonly #keep: bigint | undefined;
  #pruned: Pruned;
  /** the key after which there may be garbage; `undefined` = there is none */
  #unswept: Uint8Array | undefined;
  /** whether another process has ended in the part that comes next: some of it may be removed, and its space isn't free */
  #isResumed: boolean;
  /** first block that the current pass will keep, until that is recorded */
  #target: bigint | undefined;
  #pass: Promise<void> | undefined;
  #stopped = false;

  /**
   * @param options.keep number of blocks that are kept at least; undefined = all
   * @param options.unswept what an earlier process left, see {@link readUnswept}
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

  /** Starts a pass when one is due. What an earlier one left is removed first. */
  consider(): void {
    if (this.#pass || this.#stopped) return;
    this.#pass = this.#due()
      ?.catch((error) => {
        // A damaged directory isn't changed any further.
        this.#stopped = true;
        this.#deps.onError(error);
      })
      .finally(() => {
        this.#pass = undefined;
        this.#target = undefined;
        this.#deps.onProgress?.(undefined);
        // Blocks may have been added meanwhile.
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

  /** The extent of the complete data once the chain has gone back to a block; `undefined` if it stays. */
  extentAt(number: bigint): Pruned | undefined {
    // The only state below `states` is the genesis block's: the chain starts again from it.
    if (number >= this.states) return undefined;
    return { ...this.#pruned, states: number, ...(number < this.first && { first: number }) };
  }

  /**
   * Called when the chain has gone back to a block, and not before that is written: a pass that starts meanwhile goes
   * by the old head.
   * @param pruned what {@link extentAt} returned
   */
  wentBack(number: bigint, pruned: Pruned | undefined): void {
    if (this.#target !== undefined && number < this.#target) this.#target = undefined;
    if (pruned) this.#pruned = pruned;
  }

  /** Called when another genesis block has replaced the whole chain. */
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

  /** @param first number of the first block that is kept */
  async #prune(first: bigint): Promise<void> {
    const { db, writer } = this.#deps;
    this.#target = first;
    const newest = writer.sequence;
    // LevelDB can silently lose only what is in its log. After the flush the log has only batches that verification
    // still reads.
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
   * Removes what is garbage, where there is some.
   * @param begin called when all keys are noted that are written from then on. Afterwards no change is under way of which some aren't.
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
   * The first batch since which the head was never below `first`: the blocks from `first` on were all written by it
   * or by later batches.
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
    // Also the state with which the genesis block was made: a reset goes back to it.
    const initial = genesisRootOf(db, writer.genesis);
    // Absent when the genesis block comes from another chain.
    if (db.get(keyOf(PREFIX.node, initial))) await live.mark(initial, stopped);
    const lowest = first > this.states ? first : this.states;
    for (let number = lowest; number <= writer.head!.number && !stopped(); number++) {
      await marked(number);
      await giveWay();
    }
    // Last, so that no snapshot is missed: one taken meanwhile is in this list, or has the state of a later head,
    // which consists of marked and newly written parts.
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
      // Otherwise LevelDB frees the space when it writes those tables anew by itself.
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
      // Between two batches, so that no batch writes a key again while it is being checked.
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

  /** Notes the last key that was looked at; `undefined`: all were. */
  async #note(unswept: Uint8Array | undefined): Promise<void> {
    const { writer } = this.#deps;
    await writer.write('meta', unsweptMeta(unswept), () => ({ entries: [], head: writer.head! }));
    this.#unswept = unswept;
  }

  /** What tells of a key whether what it has is garbage. */
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
