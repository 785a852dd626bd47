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
  readonly #lastBatch: LastBatchFile;
  #sequence: number;
  #head: Head | undefined;
  #changes: Promise<void> = Promise.resolve();

  /** @param state the number of the newest batch (0 = none) and the head it left */
  constructor(
    state: { sequence: number; head: Head | undefined },
    deps: { db: CheckedLevel; lastBatch: LastBatchFile },
  ) {
    this.#sequence = state.sequence;
    this.#head = state.head;
    this.#db = deps.db;
    this.#lastBatch = deps.lastBatch;
  }

  /** undefined before the first block */
  get head(): Head | undefined {
    return this.#head;
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
        entries.push([batchKey(sequence), encodeBatchRecord(kind, change.head, change.entries)]);
      }
      await this.#db.write(entries);
      this.#sequence = sequence;
      this.#head = last.head;
      for (const { done } of changes) done?.();
      this.#lastBatch.write(sequence);
    });
    this.#changes = written.catch(() => {});
    return written;
  }

  /** Waits for the changes under way. */
  settled(): Promise<void> {
    return this.#changes;
  }
}
