import { join } from 'node:path';
import { giveWay } from '../../turns.ts';
import type { BatchWriter } from './batch-writer.ts';
import { encodeFrame, type Frame, frameSize } from './change-frame.ts';
import type { CheckedLevel, Entry } from './checked-level.ts';
import { FrameFile } from './frame-file.ts';
import { PREFIX, readUint64 } from './keys.ts';
import type { Pruned } from './pruner/pruned.ts';

/** Bytes of entries in one frame, about: LevelDB gets each frame in one step. */
const FRAME_BYTES = 64 * 1024;
/** Entries that are read at a time. */
const RUN = 1_024;

/** A part of a store's content: all of it, or what was written since the part before. */
export interface StorePart {
  /** whether it needs no part before it */
  readonly isWhole: boolean;
  /** frames, cut anywhere; to be read once, to the end or not at all. @throws Error when the part can't be read any more */
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
 * Copies a store part by part, so that another one can be filled with the same content. The first part is read from the
 * database. What is written after that goes to a file as well, of which the next part is made.
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
   * The next part, up to the newest change. To be called while the chain doesn't change.
   * @param dir where the file is kept, of which the next part is made
   * @param options.whole whether it is to be all of the content; it is anyway where something is missing since the part before
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

  /** The next part has to be a whole one: the last one can't be gone on with, or nobody wants another. */
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
      // A full disk, for example. The next part is a whole one.
      this.restart();
    }
  }

  /** All records as of now, but for those of batches. */
  async #all(): Promise<AsyncIterable<Uint8Array>> {
    const { db, writer } = this.#deps;
    const head = writer.head!;
    const { genesis } = writer;
    const runs = db.entryRuns(Uint8Array.of(PREFIX.batch + 1), Uint8Array.of(0xff), RUN);
    // LevelDB's snapshot is made with the first of them.
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
          // Blocks of a chain before this one.
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
