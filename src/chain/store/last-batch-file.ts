import { closeSync, constants, openSync, readFileSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import { damaged } from './data-dir-error.ts';
import { DISK, type Disk } from './disk.ts';
import { readUint64 } from './keys.ts';

/**
 * A file of 12 bytes next to the database: the number of the last written batch, and its CRC-32. It is written after
 * the batch and before the change is reported. So if it is ahead of the database and its {@link WriteAheadLog}, one of them
 * has lost its end: LevelDB silently drops the end of its own log, both for a flipped byte and for an incomplete write.
 */
export class LastBatchFile {
  readonly #path: string;
  readonly #dir: string;
  readonly #disk: Disk;
  #fd: number | undefined;
  readonly #bytes = Buffer.alloc(12);
  readonly #number = this.#bytes.subarray(0, 8);

  constructor(options: { path: string; dir: string }, { disk = DISK }: { disk?: Disk | undefined } = {}) {
    this.#path = options.path;
    this.#dir = options.dir;
    this.#disk = disk;
  }

  /**
   * @returns 0 if the file is missing, because nothing has been written yet
   * @throws DataDirError `damaged`
   */
  read(): number {
    let bytes: Uint8Array;
    try {
      bytes = readFileSync(this.#path);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return 0;
      throw error;
    }
    // Empty if a process was killed between creating and writing the file: it hadn't reported a batch yet.
    if (bytes.length === 0) return 0;
    if (bytes.length !== 12 || Buffer.from(bytes).readUInt32BE(8) !== crc32(bytes.subarray(0, 8)))
      throw damaged(this.#dir, `${this.#path} differs from its checksum`);
    return Number(readUint64(bytes, 0));
  }

  write(sequence: number): void {
    this.#fd ??= openSync(this.#path, constants.O_RDWR | constants.O_CREAT);
    const bytes = this.#bytes;
    bytes.writeUInt32BE(Math.floor(sequence / 2 ** 32), 0);
    bytes.writeUInt32BE(sequence % 2 ** 32, 4);
    bytes.writeUInt32BE(crc32(this.#number), 8);
    this.#disk.write(this.#fd, bytes, 0, bytes.length, 0);
  }

  close(): void {
    if (this.#fd !== undefined) closeSync(this.#fd);
    this.#fd = undefined;
  }
}
