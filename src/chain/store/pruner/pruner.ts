import { giveWay } from '../../../turns.ts';
import { decodeHeader } from '../../header.ts';
import type { BatchWriter } from '../batch-writer.ts';
import type { CheckedLevel } from '../checked-level.ts';
import { genesisRootOf } from '../genesis-root.ts';
import { keyOf, numberKey, PREFIX, readUint64, sequenceOf } from '../keys.ts';
import { wholeBatch } from '../verify.ts';
import { KeySet } from './key-set.ts';
import { LiveState } from './live-state.ts';
import { type Pruned, prunedMeta } from './pruned.ts';

/** BLOCKHASH reaches so far back: hashes and headers stay as long. */
const HASHES = 256n;
/** Keys that are looked at while nothing else is written. */
const SWEEP = 256;

/** The blocks that pruning leaves: those from `first` on, and the genesis block. */
export interface KeptBlocks {
  readonly first: bigint;
  readonly genesis: bigint;
}

export interface PrunerDeps {
  readonly db: CheckedLevel;
  readonly writer: BatchWriter;
  /** roots of states that are kept besides those of the blocks from `first` on and of the genesis block */
  readonly roots: (kept: KeptBlocks) => Iterable<Uint8Array>;
  readonly onError: (error: unknown) => void;
}

/**
 * Removes old blocks, and the state that only they reach: mark and sweep, each time that as many blocks as are kept
 * have come on top of them, so that its cost for each block doesn't grow with the chain.
 *
 * One batch says from which block and which batch on all is there. Readers and verification go by it, so what is before
 * is garbage from then on, and it doesn't matter how much of that a killed process left. Nothing is removed that a
 * batch from there on recorded (verification reads it back), that a kept state reaches, or that was written since.
 */
export class Pruner {
  readonly #deps: PrunerDeps;
  readonly #keep: bigint | undefined;
  #pruned: Pruned;
  /** first block that the pass under way will keep, until that is written */
  #target: bigint | undefined;
  #pass: Promise<void> | undefined;
  #stopped = false;

  /** @param options.keep blocks that stay, at least; undefined = all */
  constructor(options: { keep: bigint | undefined; pruned: Pruned }, deps: PrunerDeps) {
    this.#keep = options.keep;
    this.#pruned = options.pruned;
    this.#deps = deps;
  }

  /** Number of the first block that is whole, besides the genesis block. */
  get first(): bigint {
    const { genesis } = this.#deps.writer;
    return this.#pruned.first > genesis ? this.#pruned.first : genesis;
  }

  /** Number of the first block whose state is there, besides the genesis block's. */
  get states(): bigint {
    return this.#pruned.states > this.first ? this.#pruned.states : this.first;
  }

  /** Starts a pass when one is due. */
  consider(): void {
    const { head } = this.#deps.writer;
    const keep = this.#keep;
    if (keep === undefined || this.#pass || this.#stopped || !head) return;
    if (head.number - this.first + 1n < 2n * keep) return;
    this.#pass = this.#run(head.number - keep + 1n)
      .catch((error) => {
        // A directory that is damaged is left as it is.
        this.#stopped = true;
        this.#deps.onError(error);
      })
      .finally(() => {
        this.#pass = undefined;
        this.#target = undefined;
        // Blocks came meanwhile.
        this.consider();
      });
  }

  /** The chain goes back to a block. Runs as a part of that change. @returns what is whole from then on, if it differs */
  wentBack(number: bigint): Pruned | undefined {
    if (this.#target !== undefined && number < this.#target) this.#target = undefined;
    // Only the genesis block stands below these: the chain begins anew there.
    if (number >= this.states) return undefined;
    return { ...this.#pruned, states: number, ...(number < this.first && { first: number }) };
  }

  /** There is another genesis block, and nothing but it. */
  begin(): void {
    this.#target = undefined;
    const { genesis } = this.#deps.writer;
    this.#pruned = { ...this.#pruned, first: genesis, states: genesis };
  }

  set(pruned: Pruned): void {
    this.#pruned = pruned;
  }

  /** Waits until nothing is due. */
  async settled(): Promise<void> {
    while (this.#pass) await this.#pass;
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#pass;
  }

  async #run(first: bigint): Promise<void> {
    const { db, writer } = this.#deps;
    this.#target = first;
    const newest = writer.sequence;
    // What LevelDB loses without a word stood in its log; from now on that holds batches which are verified only.
    await db.flush();
    const batch = await this.#firstBatch(first, newest);
    const recorded = new KeySet();
    const unwatch = writer.watch((key) => recorded.add(key));
    try {
      let root: Uint8Array | undefined;
      await writer.writeAll('prune', () => {
        const { head } = writer;
        if (this.#target === undefined || this.#stopped || !head) return [];
        root = head.stateRoot;
        const pruned = { ...this.#pruned, first, batch };
        const done = () => {
          this.#target = undefined;
          this.#pruned = pruned;
        };
        return [{ entries: [], head, meta: prunedMeta(pruned), done }];
      });
      if (!root) return;
      for (let sequence = batch; sequence <= writer.sequence; sequence++) {
        if (this.#stopped) return;
        for (const { key } of wholeBatch(db, sequence).written) {
          recorded.add(key);
          await giveWay();
        }
      }
      const live = await this.#mark(root, first);
      if (!this.#stopped) await this.#sweep({ first, batch, recorded, live });
    } finally {
      unwatch();
    }
  }

  /** The batch since which the head has been `first` or above: the blocks from there on follow from it and those after. */
  async #firstBatch(first: bigint, newest: number): Promise<number> {
    for (let sequence = newest; sequence >= this.#pruned.batch && !this.#stopped; sequence--) {
      if (wholeBatch(this.#deps.db, sequence).head.number < first) return sequence + 1;
      await giveWay();
    }
    return this.#pruned.batch;
  }

  async #mark(head: Uint8Array, first: bigint): Promise<LiveState> {
    const { db, writer, roots } = this.#deps;
    const live = new LiveState({ db });
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
    // As it was made, too: a reset goes back there.
    const initial = genesisRootOf(db, writer.genesis);
    // That of a block which another chain made is not here.
    if (db.get(keyOf(PREFIX.node, initial))) await live.mark(initial, stopped);
    const lowest = first > this.states ? first : this.states;
    for (let number = lowest; number <= writer.head!.number && !stopped(); number++) {
      await marked(number);
      await giveWay();
    }
    // Last: what a snapshot names that was taken meanwhile is named here, or is the state of a head since, which
    // consists of what was marked and what was written.
    for (const root of [...roots({ first, genesis: writer.genesis })]) await live.mark(root, stopped);
    return live;
  }

  async #sweep(kept: { first: bigint; batch: number; recorded: KeySet; live: LiveState }): Promise<void> {
    const { db, writer } = this.#deps;
    const { first, batch, recorded, live } = kept;
    const genesis = db.get(numberKey(writer.genesis))!;
    const named = new KeySet();
    for (const prefix of [PREFIX.header, PREFIX.body, PREFIX.receipts, PREFIX.stateRoot])
      named.add(keyOf(prefix, genesis));
    const lowest = first - HASHES > writer.genesis ? first - HASHES : writer.genesis + 1n;
    for (let number = lowest; number < first; number++) {
      const hash = db.get(numberKey(number));
      if (hash) named.add(keyOf(PREFIX.header, hash));
    }
    const isDead = (key: Uint8Array): boolean => {
      if (recorded.has(key) || named.has(key)) return false;
      switch (key[0]) {
        case PREFIX.batch:
          return sequenceOf(key) < batch;
        case PREFIX.number: {
          const number = readUint64(key, 1);
          return number !== writer.genesis && (number < first - HASHES || number > writer.head!.number);
        }
        case PREFIX.header:
        case PREFIX.body:
        case PREFIX.receipts:
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
    for await (const keys of db.keyRuns(SWEEP)) {
      if (this.#stopped) return;
      // Between two batches, so that none writes again what is being judged.
      await writer.alone(async () => {
        const dead = keys.filter(isDead);
        if (dead.length > 0) await db.write([], dead);
      });
      await giveWay();
    }
  }
}
