import { closeSync, constants, fsyncSync, openSync, readFileSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { FrameReader, frameEnd } from './change-frame.ts';
import { DISK, type Disk } from './disk.ts';

/** The first bytes of each file: name and version of its format. */
export const LOG_BEGINNING = new TextEncoder().encode('devnet-1');

/**
 * Two files with the changes that LevelDB may not have yet. One file gets the new changes while those of the other are
 * written to LevelDB; after that, the other file is overwritten from its beginning: writing to a file that keeps its size
 * takes a third of the time. Old frames after the new ones are recognized by their lower numbers.
 */
export class WriteAheadLog {
  readonly #paths: readonly string[];
  readonly #fsync: boolean;
  readonly #disk: Disk;
  readonly #files = new Map<string, number>();

  /** @param options.fsync whether {@link synced} waits for the disk */
  constructor(
    options: { paths: readonly string[]; fsync: boolean },
    { disk = DISK }: { disk?: Disk | undefined } = {},
  ) {
    this.#paths = options.paths;
    this.#fsync = options.fsync;
    this.#disk = disk;
  }

  /** Writes the bytes from `from` to `to` at the same offset of a file. They then survive a crash of the process. */
  write(file: 0 | 1, bytes: Uint8Array, from: number, to: number): void {
    const fd = this.#open(file);
    for (let at = from; at < to; ) at += this.#disk.write(fd, bytes, at, to - at, at);
  }

  /** With `fsync`: resolves when the written bytes are on the disk. Otherwise `undefined`. */
  synced(file: 0 | 1): Promise<void> | undefined {
    return this.#fsync ? this.#disk.sync(this.#open(file)) : undefined;
  }

  #open(file: 0 | 1): number {
    const path = this.#paths[file]!;
    const open = this.#files.get(path);
    if (open !== undefined) return open;
    const fd = openSync(path, constants.O_RDWR | constants.O_CREAT | constants.O_TRUNC);
    this.#files.set(path, fd);
    if (this.#fsync) syncDirectory(dirname(path));
    return fd;
  }

  /**
   * Closes the files without removing them: a repair can read changes from them that LevelDB's own log has lost. LevelDB moves
   * its log to a table when it is opened again.
   */
  close(): void {
    for (const fd of this.#files.values()) closeSync(fd);
    this.#files.clear();
  }

  /** Removes the files. */
  remove(): void {
    for (const path of this.#paths) rmSync(path, { force: true });
  }
}

/** A new file survives power loss only once its directory is on the disk. */
function syncDirectory(path: string): void {
  // Windows can't flush directories.
  if (process.platform === 'win32') return;
  const fd = openSync(path, constants.O_RDONLY);
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

/** The content of a log file. */
export interface LoggedFrames {
  readonly bytes: Uint8Array;
  /** offsets of the complete frames, in order */
  readonly frames: readonly { readonly from: number; readonly to: number }[];
}

/**
 * The complete frames of both files, oldest first: of each file, the consecutively numbered frames from its beginning on. A
 * killed process may leave an incomplete frame, which is ignored.
 */
export function readLogs(paths: readonly string[]): LoggedFrames[] {
  const first = ({ bytes, frames }: LoggedFrames) => new FrameReader(bytes, frames[0]!.from).first;
  return paths
    .map(readLog)
    .filter(({ frames }) => frames.length > 0)
    .sort((one, other) => first(one) - first(other));
}

function readLog(path: string): LoggedFrames {
  const frames: { from: number; to: number }[] = [];
  let bytes: Uint8Array;
  try {
    bytes = readFileSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    bytes = new Uint8Array();
  }
  let from = LOG_BEGINNING.length;
  if (Buffer.compare(bytes.subarray(0, from), LOG_BEGINNING) !== 0) return { bytes, frames };
  let next: number | undefined;
  for (let to = frameEnd(bytes, from); to !== undefined; to = frameEnd(bytes, from)) {
    const { first, last } = new FrameReader(bytes, from);
    if (next !== undefined && first !== next) break;
    frames.push({ from, to });
    next = last + 1;
    from = to;
  }
  return { bytes, frames };
}
