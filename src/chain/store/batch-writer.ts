import { type BatchKind, encodeBatchRecord, type Head } from './batch-record.ts';
import type { CheckedLevel, Entry } from './checked-level.ts';
import { batchKey, metaKey } from './keys.ts';
import type { LastBatchFile } from './last-batch-file.ts';

/** Small JSON values by name. */
export type Meta = Readonly<Record<string, unknown>>;

/** What a change writes, and where it leaves the head. */
export interface Change {
  readonly entries: Entry[];
  readonly head: Head;
  /** the head is the first block: what was before is not seen again */
  readonly isGenesis?: boolean;
  /** written with it */
  readonly meta?: Meta;
  /** runs when the change can be seen */
  readonly done?: () => void;
}

/**
 * Writes changes one after the other, each as one atomic batch that carries its record and moves the head. Holds the
 * head that readers go by: it moves when the batch is written.
 */
export class BatchWriter {
  readonly #db: CheckedLevel;
  readonly #lastBatch: LastBatchFile | undefined;
  #sequence: number;
  #head: Head | undefined;
  #genesis: bigint | undefined;
  #onKey: ((key: Uint8Array) => void) | undefined;
  #changes: Promise<void> = Promise.resolve();
  #failure: { readonly error: unknown } | undefined;
  #fail: (error: unknown) => void = () => {};
  /** Resolves with the error of a write that failed. Nothing is written from then on. */
  readonly failed = new Promise<unknown>((resolve) => {
    this.#fail = resolve;
  });

  /**
   * @param state the number of the newest batch (0 = none), the head it left, and the number of the first block
   * @param deps.lastBatch absent where nobody reads what batches tell of themselves
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

  /** @param make runs when the changes before this one are done, against the head they left; what it throws rejects */
  write(kind: BatchKind, meta: Meta, make: () => Change): Promise<void> {
    return this.writeAll(kind, () => [{ ...make(), meta }]);
  }

  /** Changes that are written together, each with a record of its own. @param make as of {@link write} */
  writeAll(kind: BatchKind, make: () => readonly Change[]): Promise<void> {
    const written = this.#changes.then(async () => {
      const changes = make();
      const last = changes.at(-1);
      if (!last) return;
      let sequence = this.#sequence;
      const entries: Entry[] = [];
      for (const change of changes) {
        sequence++;
        for (const [name, value] of Object.entries(change.meta ?? {}))
          change.entries.push([metaKey(name), new TextEncoder().encode(JSON.stringify(value))]);
        for (const entry of change.entries) entries.push(entry);
        if (this.#lastBatch) entries.push([batchKey(sequence), this.#record(kind, change)]);
      }
      if (this.#onKey) for (const [key] of entries) this.#onKey(key);
      await this.#attempt(() => this.#db.write(entries));
      this.#sequence = sequence;
      for (const { isGenesis, head } of changes) if (isGenesis) this.#genesis = head.number;
      this.#genesis ??= changes[0]!.head.number;
      this.#head = last.head;
      for (const { done } of changes) done?.();
      await this.#attempt(() => this.#lastBatch?.write(sequence));
    });
    this.#changes = written.catch(() => {});
    return written;
  }

  #record(kind: BatchKind, { head, entries }: Change): Uint8Array {
    return encodeBatchRecord(kind, head, entries, (entry) => this.#db.checksumOf(entry));
  }

  /** Runs `task`, which writes, between two batches, without one of its own. */
  alone(task: () => Promise<void>): Promise<void> {
    const done = this.#changes.then(() => this.#attempt(task));
    this.#changes = done.catch(() => {});
    return done;
  }

  /** Tells of each key before it is written. @returns ends it */
  watch(onKey: (key: Uint8Array) => void): () => void {
    this.#onKey = onKey;
    return () => {
      this.#onKey = undefined;
    };
  }

  /** Waits for the changes under way. */
  settled(): Promise<void> {
    return this.#changes;
  }

  /**
   * A write that fails (a full disk) may leave half a record in LevelDB's log. It would go on behind that when there is
   * space again, and at the next open drop all that follows without a word: so the first failure is the last write.
   */
  async #attempt(write: () => Promise<void> | void): Promise<void> {
    if (this.#failure) throw this.#failure.error;
    try {
      await write();
    } catch (error) {
      this.#failure = { error };
      this.#fail(error);
      throw error;
    }
  }
}
