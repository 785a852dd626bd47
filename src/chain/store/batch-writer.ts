import type { EncodedEntries } from '../../state/encoded-entries.ts';
import { type Awaitable, andThen } from '../../state/view.ts';
import { TaskQueue } from '../../task-queue.ts';
import type { BatchKind, Head } from './batch-record.ts';
import type { Frame } from './change-frame.ts';
import type { CheckedLevel, Entry } from './checked-level.ts';
import { metaKey } from './keys.ts';
import type { LastBatchFile } from './last-batch-file.ts';

/** Resolves after the event loop has handled timers and connections. */
const nextTurn = () => new Promise<void>((resolve) => void setImmediate(resolve));

/** Small JSON values by name. */
export type Meta = Readonly<Record<string, unknown>>;

/** The writes of a change, and the head after it. */
export interface Change {
  /** if it differs from the kind of the changes with which this one is written */
  readonly kind?: BatchKind;
  readonly entries: Entry[];
  /** more entries, already encoded */
  readonly encoded?: readonly EncodedEntries[] | undefined;
  readonly head: Head;
  /** the new head is the genesis block: older blocks are no longer part of the chain */
  readonly isGenesis?: boolean;
  /** values by name, written in the same batch */
  readonly meta?: Meta | undefined;
  /** called once the change is visible to readers */
  readonly done?: () => void;
}

/**
 * Writes changes one after the other, each atomically with its own record and the new head. Holds the head that readers
 * see, which changes once the batch is written.
 */
export class BatchWriter {
  readonly #db: CheckedLevel;
  readonly #lastBatch: LastBatchFile | undefined;
  #sequence: number;
  #head: Head | undefined;
  #genesis: bigint | undefined;
  #onKey: ((key: Uint8Array) => void) | undefined;
  #onFrame: ((frame: Frame) => void) | undefined;
  readonly #queue = new TaskQueue();
  /** by name: the JSON that was written last, and the name's key */
  readonly #meta = new Map<string, { readonly json: string; readonly key: Uint8Array }>();
  #failure: { readonly error: unknown } | undefined;
  #fail: (error: unknown) => void = () => {};
  /** Resolves with the error of a failed write. After that nothing is written any more. */
  readonly failed = new Promise<unknown>((resolve) => {
    this.#fail = resolve;
  });

  /**
   * @param state number of the newest batch (0 = none), the head after it, and the number of the first block
   * @param deps.lastBatch absent if the database isn't opened again
   */
  constructor(
    state: { sequence: number; head: Head | undefined; genesis: bigint | undefined },
    deps: { db: CheckedLevel; lastBatch?: LastBatchFile | undefined },
  ) {
    this.#sequence = state.sequence;
    this.#head = state.head;
    this.#genesis = state.genesis;
    this.#db = deps.db;
    this.#lastBatch = deps.lastBatch;
  }

  /** Whether no change is in progress. */
  get isIdle(): boolean {
    return this.#queue.isIdle;
  }

  /** number of the newest batch; 0 = none */
  get sequence(): number {
    return this.#sequence;
  }

  /** undefined before the first block */
  get head(): Head | undefined {
    return this.#head;
  }

  /** number of the first block; 0 before there is one */
  get genesis(): bigint {
    return this.#genesis ?? 0n;
  }

  /**
   * @param make called when all earlier changes are done, so that it sees the head after them; an error that it throws rejects
   *   the promise
   */
  write(kind: BatchKind, meta: Meta, make: () => Change): Promise<void> {
    return this.writeAll(kind, () => [{ ...make(), meta }]);
  }

  /**
   * Writes several changes together, each with its own record.
   * @param make see {@link write}
   */
  writeAll(kind: BatchKind, make: () => readonly Change[]): Promise<void> {
    // Lets other work run between two changes, as if the write waited for the disk.
    return this.#queue.run(() => this.#write(kind, make(), nextTurn));
  }

  /**
   * Writes a change. Synchronous if no other change is in progress and the write doesn't wait for the disk.
   * @param make see {@link write}, but its error may be thrown synchronously
   */
  writeSoon(kind: BatchKind, make: () => Change): Awaitable<void> {
    return this.#queue.runSoon(() => this.#write(kind, [make()]));
  }

  /** @param pause waits between the write and the moment at which readers see it */
  #write(kind: BatchKind, changes: readonly Change[], pause?: () => Promise<void>): Awaitable<void> {
    const last = changes.at(-1);
    if (!last) return;
    for (const { entries, meta } of changes) if (meta) this.#addMeta(entries, meta);
    if (this.#onKey)
      for (const { entries, encoded } of changes) {
        for (const [key] of entries) this.#onKey(key);
        for (const part of encoded ?? []) for (const [key] of part) this.#onKey(key);
      }
    const frame = {
      first: this.#sequence + 1,
      before: this.#head,
      changes: changes.map(({ kind: own = kind, head, entries, encoded }) => ({
        kind: own,
        head,
        entries,
        encoded,
      })),
    };
    this.#onFrame?.(frame);
    const committed = this.#attempt(() => this.#db.commit(frame));
    return andThen(pause ? andThen(committed, pause) : committed, () => {
      this.#sequence += changes.length;
      for (const { isGenesis, head } of changes) if (isGenesis) this.#genesis = head.number;
      this.#genesis ??= changes[0]!.head.number;
      this.#head = last.head;
      for (const { done } of changes) done?.();
      return this.#attempt(() => this.#lastBatch?.write(this.#sequence));
    });
  }

  /** Adds only changed values: those of most blocks don't change. */
  #addMeta(entries: Entry[], meta: Meta): void {
    for (const name in meta) {
      const json = JSON.stringify(meta[name]);
      const last = this.#meta.get(name);
      if (last?.json === json) continue;
      const key = last?.key ?? metaKey(name);
      this.#meta.set(name, { json, key });
      entries.push([key, Buffer.from(json)]);
    }
  }

  /** Runs `task`, which may write to the database, between two batches. */
  alone(task: () => Promise<void>): Promise<void> {
    return this.#queue.run(() => this.#attempt(task));
  }

  /**
   * Calls `onKey` with each key before it is written.
   * @returns a function that stops it
   */
  watch(onKey: (key: Uint8Array) => void): () => void {
    this.#onKey = onKey;
    return () => {
      this.#onKey = undefined;
    };
  }

  /**
   * Calls `onFrame` with the changes before they are written.
   * @returns a function that stops it
   */
  onFrame(onFrame: (frame: Frame) => void): () => void {
    this.#onFrame = onFrame;
    return () => {
      this.#onFrame = undefined;
    };
  }

  /** Waits for the writes in progress. */
  settled(): Promise<void> {
    return this.#queue.run(() => {});
  }

  /**
   * Runs a write, and prevents all writes after the first failure: a failed write (full disk) may leave half a record in
   * LevelDB's log. If LevelDB appended more records once there is space again, it would silently drop all of them at the
   * next opening.
   */
  #attempt(write: () => Awaitable<void>): Awaitable<void> {
    if (this.#failure) throw this.#failure.error;
    const fail = (error: unknown): never => {
      this.#failure = { error };
      this.#fail(error);
      throw error;
    };
    try {
      const written = write();
      return written instanceof Promise ? written.catch(fail) : undefined;
    } catch (error) {
      return fail(error);
    }
  }
}
