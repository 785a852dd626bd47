import { fdatasync, writeSync } from 'node:fs';
import { promisify } from 'node:util';

/** The store's writes to disk. Tests use implementations that fail, delay or truncate writes. */
export interface Disk {
  /** Writes at a position of a file, like `writeSync()`. @returns number of written bytes */
  write(fd: number, bytes: Uint8Array, from: number, length: number, position: number): number;
  /** Resolves when all data written to a file is on the disk. */
  sync(fd: number): Promise<void>;
  /** Lets LevelDB write a batch. */
  batch(write: () => Promise<void>): Promise<void>;
  /** bytes of changes that are gathered before they are written to LevelDB; default 1 MiB */
  readonly room?: number;
}

/** The machine's disk. */
export const DISK: Disk = {
  write: writeSync,
  sync: promisify(fdatasync),
  batch: (write) => write(),
};
