import type { Node } from '../boot/node.ts';
import type { LogWriter } from './log-writer.ts';
import { type Ends, hasReached, type Position } from './position.ts';
import {
  hasSnapshot,
  type KeptSnapshot,
  putSnapshot,
  remove,
  removeSnapshot,
  type SnapshotShelf,
  strayParts,
} from './snapshot-file.ts';

/** Snapshots that are kept. The log is kept from the oldest of them on. */
const KEPT = 2;
/** Bytes that a chain that removes old blocks adds to its snapshots, at least, before they are made anew without those. */
const LEAST_REMOVED = 4 * 2 ** 20;

export interface SnapshotterDeps extends SnapshotShelf {
  readonly node: Node;
  /** whether the chain removes old blocks */
  readonly prunes: boolean;
  readonly writer: LogWriter;
  /** the last positions of the leaders before */
  readonly ends: Ends;
  /** where the leader keeps what it adds to its store until the next snapshot has that */
  readonly scratch: string;
  /** called with errors: the next block's end is the next try */
  readonly onError: (error: unknown) => void;
}

/** A snapshot, and the bytes of its whole part and of those that were added to that. */
interface LastSnapshot extends KeptSnapshot {
  readonly whole: number;
  readonly added: number;
}

/** Takes a snapshot of the leader every so many blocks, and trims the log behind the oldest that is kept. */
export class Snapshotter {
  readonly #interval: number;
  readonly #deps: SnapshotterDeps;
  readonly #listening: Disposable[];
  /** blocks since the last snapshot */
  #blocks = 0;
  #isDue = false;
  /** the newest snapshot of this leader; `undefined`: the next one has all of the store */
  #last: LastSnapshot | undefined;
  #taking: Promise<void> | undefined;

  /** @param options.interval blocks */
  constructor(options: { interval: number }, deps: SnapshotterDeps) {
    this.#interval = options.interval;
    this.#deps = deps;
    this.#listening = [
      deps.node.feed.on('sealed', () => {
        this.#isDue ||= ++this.#blocks >= this.#interval;
        this.#try();
      }),
    ];
  }

  /** To be called when the log lacks tasks: followers need a snapshot. */
  request(): void {
    this.#isDue = true;
    this.#try();
  }

  /** Takes a snapshot where no follower could start, because Redis has lost what it had. Errors as of Redis. */
  async check(): Promise<void> {
    if (this.#isDue) this.#try();
    if (this.#isDue || this.#taking) return;
    const { store } = this.#deps;
    const isWhole = await store.isWhole((snapshot) => hasSnapshot(snapshot, this.#deps));
    if (!isWhole && !this.#taking) this.request();
  }

  /** Waits for the one that is being taken. */
  async close(): Promise<void> {
    for (const listener of this.#listening) listener[Symbol.dispose]();
    await this.#taking;
  }

  #try(): void {
    if (!this.#isDue || this.#taking || !this.#deps.store.redis.isReady) return;
    this.#taking = this.#take()
      .catch((error) => {
        this.#isDue = true;
        this.#deps.onError(error);
      })
      .finally(() => {
        this.#taking = undefined;
      });
  }

  async #take(): Promise<void> {
    const { store, node, writer, ends, scratch } = this.#deps;
    const last = await store.last();
    let position: Position | undefined;
    const before = this.#last;
    const captured = await node.capture({
      dir: scratch,
      whole: !before || !(await this.#canGoOn(before)),
      began: () => {
        position = writer.position;
        if (writer.isCut) writer.resume(last);
      },
    });
    // The open block isn't empty: the next one is tried.
    if (!captured || !position) return;
    this.#blocks = 0;
    this.#isDue = false;
    // Where it fails, the next one can't go on from it.
    this.#last = undefined;
    const shelf = this.#deps;
    const kept = await putSnapshot(position, captured, { before: before?.parts ?? [], shelf });
    const { name, parts, bytes } = kept;
    const genesis = Number(node.genesisTimestamp);
    const all = await store.addSnapshot({ position, ends, name, parts, genesis }, KEPT);
    const isWhole = captured.store.isWhole;
    this.#last = {
      ...kept,
      whole: isWhole ? bytes : before!.whole,
      added: isWhole ? 0 : before!.added + bytes,
    };
    // Behind the first one nothing is trimmed: a follower that is some tasks behind at this moment would lack them.
    if (all.kept.length === KEPT) {
      // The newest entry stays: the next one is appended after it.
      const { written } = writer;
      const oldest = all.kept[0]!.position;
      await store.trim(hasReached(written, oldest) ? oldest : written);
    }
    for (const old of all.forgotten) await removeSnapshot(old, { kept: all.kept, shelf });
    // Of a leader that ended in between, or of snapshots whose list Redis lost.
    if (isWhole) await remove(await strayParts(all.kept, shelf), shelf);
  }

  /** Whether the next snapshot can be made of a part more than the last one. */
  async #canGoOn(last: LastSnapshot): Promise<boolean> {
    // What was removed from the chain is still in the parts.
    if (this.#deps.prunes && last.added > Math.max(last.whole, LEAST_REMOVED)) return false;
    return hasSnapshot(last, this.#deps);
  }
}
