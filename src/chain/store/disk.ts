import { fdatasync, writeSync } from 'node:fs';
import { promisify } from 'node:util';

/** How the store writes. A test's own refuses, delays or tears writes. */
export interface Disk {
  /** Writes at a place in a file, as `writeSync()`. @returns how many bytes were written */
  write(fd: number, bytes: Uint8Array, from: number, length: number, position: number): number;
  /** Resolves when what was written to a file is on the disk. */
  sync(fd: number): Promise<void>;
  /** Lets LevelDB write a batch. */
  batch(write: () => Promise<void>): Promise<void>;
  /** bytes of changes that are gathered before LevelDB gets them; default 1 MiB */
  readonly room?: number;
}

/** The machine's. */
export const DISK: Disk = {
  write: writeSync,
  sync: promisify(fdatasync),
  batch: (write) => write(),
};
