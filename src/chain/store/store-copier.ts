import { join } from 'node:path';
import { giveWay } from '../../turns.ts';
import type { BatchWriter } from './batch-writer.ts';
import { encodeFrame, type Frame, frameSize } from './change-frame.ts';
import type { CheckedLevel, Entry } from './checked-level.ts';
import { FrameFile } from './frame-file.ts';
import { PREFIX, readUint64 } from './keys.ts';
import type { Pruned } from './pruner/pruned.ts';

/** Approximate number of bytes of entries per frame. Each frame is written to LevelDB in one step. */
const FRAME_BYTES = 64 * 1024;
/** Number of entries that are read at a time. */
const RUN = 1_024;

/** A part of a store's content: either the complete content, or the writes since the previous part. */
export interface StorePart {
  /** whether this is the complete content, which needs no previous part */
  readonly isWhole: boolean;
  /** frames, in pieces of any size. Must be read to the end once, or not at all. @throws Error if the part can't be read any more */
  readonly bytes: AsyncIterable<Uint8Array>;
  /** hash of the genesis block */
  readonly genesis: Uint8Array;
  /** the blocks and states that the store has after this part */
  readonly extent: Pick<Pruned, 'first' | 'states'>;
}

export interface StoreCopierDeps {
  readonly db: CheckedLevel;
  readonly writer: BatchWriter;
}

/**
 * Copies a store part by part, so that another store can be filled with the same content. The first part is read from the
 * database. All later writes are also appended to a file, which becomes the next part.
 */
export class StoreCopier {
  readonly #deps: StoreCopierDeps;
  #file: FrameFile | undefined;
  #files = 0;
  #stop: (() => void) | undefined;

  constructor(deps: StoreCopierDeps) {
    this.#deps = deps;
  }

  /**
   * Returns the next part, up to the newest change. The chain must not change during the call.
   * @param dir folder for the file of the next part
   * @param options.whole whether to return the complete content; done in any case if a write since the previous part is missing
   */
  async part(dir: string, options: { whole: boolean }): Promise<Pick<StorePart, 'isWhole' | 'bytes'>> {
    const before = this.#file;
    this.#file = undefined;
    const isWhole = options.whole || !before;
    if (isWhole) before?.remove();
    const bytes = isWhole ? await this.#all() : before!.read();
    this.#file = new FrameFile(join(dir, `changes-${++this.#files}`));
    this.#stop ??= this.#deps.writer.onFrame((frame) => this.#add(frame));
    return { isWhole, bytes };
  }

  /** Discards the file, so that the next part is the complete content. Called if a part can't continue, or no further part is needed. */
  restart(): void {
    this.#file?.remove();
    this.#file = undefined;
    this.#stop?.();
    this.#stop = undefined;
  }

  #add(frame: Frame): void {
    try {
      this.#file?.add(frame);
    } catch {
      // For example if the disk is full. The next part is then the complete content.
      this.restart();
    }
  }

  /** All current records except batch records. */
  async #all(): Promise<AsyncIterable<Uint8Array>> {
    const { db, writer } = this.#deps;
    const head = writer.head!;
    const { genesis } = writer;
    const runs = db.entryRuns(Uint8Array.of(PREFIX.batch + 1), Uint8Array.of(0xff), RUN);
    // Reading the first run creates LevelDB's snapshot.
    const first = await runs.next();
    return (async function* () {
      let entries: Entry[] = [];
      let bytes = 0;
      const frame = () => {
        const made: Frame = { first: 0, before: undefined, changes: [{ kind: 'block', head, entries }] };
        const encoded = new Uint8Array(frameSize(made));
        encodeFrame(made, encoded, 0, { checksum: true });
        entries = [];
        bytes = 0;
        return encoded;
      };
      for (let run = first; !run.done; run = await runs.next())
        for (const entry of run.value) {
          const [key, value] = entry;
          // Skips the blocks of an earlier chain in this store, see `BlockStore.begin`.
          if (key[0] === PREFIX.number && readUint64(key, 1) < genesis) continue;
          entries.push(entry);
          bytes += key.length + value.length;
          if (bytes < FRAME_BYTES) continue;
          yield frame();
          await giveWay();
        }
      yield frame();
    })();
  }
}
