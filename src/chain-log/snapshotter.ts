import type { Node } from '../boot/node.ts';
import type { LogWriter } from './log-writer.ts';
import { type Ends, hasReached, type Position } from './position.ts';
import {
  hasSnapshot,
  type KeptSnapshot,
  putSnapshot,
  remove,
  removeSnapshot,
  type SnapshotStorage,
  strayParts,
} from './snapshot-file.ts';

/** Number of snapshots that are kept. The log is kept from the oldest of them on. */
const KEPT = 2;
/**
 * For a chain that prunes old blocks: minimum size in bytes of the added parts before a snapshot is made anew, without the pruned blocks.
 */
const MIN_REMOVED = 4 * 2 ** 20;

export interface SnapshotterDeps extends SnapshotStorage {
  readonly node: Node;
  /** whether the chain prunes old blocks */
  readonly prunes: boolean;
  readonly writer: LogWriter;
  /** the last positions of the earlier leaders */
  readonly ends: Ends;
  /** directory in which the leader collects additions to its store until the next snapshot */
  readonly scratch: string;
  /** called with errors; the next try is at the end of the next block */
  readonly onError: (error: unknown) => void;
}

/** A snapshot, with the size in bytes of its whole part and of the added parts. */
interface LastSnapshot extends KeptSnapshot {
  readonly whole: number;
  readonly added: number;
}

/** Takes a snapshot of the leader at an interval of blocks, and trims the log up to the oldest snapshot that is kept. */
export class Snapshotter {
  readonly #interval: number;
  readonly #deps: SnapshotterDeps;
  readonly #listening: Disposable[];
  /** number of blocks since the last snapshot */
  #blocks = 0;
  #isDue = false;
  /** the newest snapshot of this leader; `undefined`: the next one must contain the whole store */
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

  /** Must be called when the log lacks tasks, since followers then need a snapshot. */
  request(): void {
    this.#isDue = true;
    this.#try();
  }

  /** Takes a snapshot if no follower could start, because Redis has lost data. Throws the errors of Redis. */
  async check(): Promise<void> {
    if (this.#isDue) this.#try();
    if (this.#isDue || this.#taking) return;
    const { store } = this.#deps;
    const isWhole = await store.isWhole((snapshot) => hasSnapshot(snapshot, this.#deps));
    if (!isWhole && !this.#taking) this.request();
  }

  /** Waits for the snapshot in progress. */
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
    // The open block isn't empty: tries again at the end of the next block.
    if (!captured || !position) return;
    this.#blocks = 0;
    this.#isDue = false;
    // If storing this snapshot fails, the next one can't extend it.
    this.#last = undefined;
    const storage = this.#deps;
    const kept = await putSnapshot(position, captured, { before: before?.parts ?? [], storage });
    const { name, parts, bytes } = kept;
    const genesis = Number(node.genesisTimestamp);
    const all = await store.addSnapshot({ position, ends, name, parts, genesis }, KEPT);
    const isWhole = captured.store.isWhole;
    this.#last = {
      ...kept,
      whole: isWhole ? bytes : before!.whole,
      added: isWhole ? 0 : before!.added + bytes,
    };
    // The log isn't trimmed up to the first snapshot: a follower that is some tasks behind at this moment would lack them.
    if (all.kept.length === KEPT) {
      // The newest entry is kept: the next one is appended after it.
      const { written } = writer;
      const oldest = all.kept[0]!.position;
      await store.trim(hasReached(written, oldest) ? oldest : written);
    }
    for (const old of all.forgotten) await removeSnapshot(old, { kept: all.kept, storage });
    // Leftovers of a leader that ended during a snapshot, or of snapshots whose list Redis has lost.
    if (isWhole) await remove(await strayParts(all.kept, storage), storage);
  }

  /** Whether the next snapshot can extend the last one by new parts. */
  async #canGoOn(last: LastSnapshot): Promise<boolean> {
    // The parts still contain blocks that the chain has pruned.
    if (this.#deps.prunes && last.added > Math.max(last.whole, MIN_REMOVED)) return false;
    return hasSnapshot(last, this.#deps);
  }
}
