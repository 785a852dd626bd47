import type { Node } from '../boot/node.ts';
import type { LogWriter } from './log-writer.ts';
import type { Ends, Position } from './position.ts';
import { hasSnapshot, putSnapshot, removeSnapshot, type SnapshotShelf } from './snapshot-file.ts';

/** Snapshots that are kept. The log is kept from the oldest of them on. */
const KEPT = 2;

export interface SnapshotterDeps extends SnapshotShelf {
  readonly node: Node;
  readonly writer: LogWriter;
  /** the last positions of the leaders before */
  readonly ends: Ends;
  /** called with errors: the next block's end is the next try */
  readonly onError: (error: unknown) => void;
}

/** Takes a snapshot of the leader every so many blocks, and trims the log behind the oldest that is kept. */
export class Snapshotter {
  readonly #interval: number;
  readonly #deps: SnapshotterDeps;
  readonly #listening: Disposable[];
  /** blocks since the last snapshot */
  #blocks = 0;
  #isDue = false;
  /** whether the chain went back since then */
  #wentBack = false;
  #taking: Promise<void> | undefined;

  /** @param options.interval blocks */
  constructor(options: { interval: number }, deps: SnapshotterDeps) {
    this.#interval = options.interval;
    this.#deps = deps;
    const { feed } = deps.node;
    this.#listening = [
      feed.on('sealed', () => {
        const blocks = this.#wentBack ? this.#interval / 10 : this.#interval;
        this.#isDue ||= ++this.#blocks >= blocks;
        this.#try();
      }),
      // Who started from an earlier snapshot may lack what was gone back to, and what it has now.
      feed.on('back', () => {
        this.#wentBack = true;
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
    const isWhole = await store.isWhole((snapshot) => hasSnapshot(snapshot.name, this.#deps));
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
    const { store, node, writer, ends } = this.#deps;
    const last = await store.last();
    let position: Position | undefined;
    const captured = await node.capture(() => {
      position = writer.position;
      if (writer.isCut) writer.resume(last);
    });
    // The open block isn't empty: the next one is tried.
    if (!captured || !position) return;
    this.#blocks = 0;
    this.#isDue = false;
    this.#wentBack = false;
    const name = await putSnapshot(position, captured, this.#deps);
    const genesis = Number(node.genesisTimestamp);
    const { kept, forgotten } = await store.addSnapshot({ position, ends, name, genesis }, KEPT);
    await store.trim(kept[0]!.position);
    for (const old of forgotten) await removeSnapshot(old.name, this.#deps);
  }
}
