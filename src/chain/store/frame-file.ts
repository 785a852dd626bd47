import { closeSync, createReadStream, openSync, rmSync, writeSync } from 'node:fs';
import { encodeFrame, type Frame, frameSize } from './change-frame.ts';

/** Size in bytes of the write buffer. */
const BUFFER = 256 * 1024;

/** Collects frames in a file, which is later read once. */
export class FrameFile {
  readonly #path: string;
  readonly #fd: number;
  #buffer = new Uint8Array(BUFFER);
  #end = 0;

  /** @throws the system's error if the file can't be created */
  constructor(path: string) {
    this.#path = path;
    this.#fd = openSync(path, 'w');
  }

  /** @throws the system's error; the file is then unusable */
  add(frame: Frame): void {
    const size = frameSize(frame);
    if (this.#end + size > this.#buffer.length) {
      this.#write();
      if (size > this.#buffer.length) this.#buffer = new Uint8Array(size);
    }
    encodeFrame(frame, this.#buffer, this.#end, { checksum: true });
    this.#end += size;
  }

  /** Reads all frames, once; no more frames may be added. Removes the file at the end, or when the reader stops early. */
  async *read(): AsyncGenerator<Uint8Array> {
    try {
      this.#write();
      yield* createReadStream(this.#path, { highWaterMark: BUFFER }) as AsyncIterable<Uint8Array>;
    } finally {
      this.remove();
    }
  }

  remove(): void {
    closeSync(this.#fd);
    rmSync(this.#path, { force: true });
  }

  #write(): void {
    for (let done = 0; done < this.#end; ) done += writeSync(this.#fd, this.#buffer, done, this.#end - done);
    this.#end = 0;
  }
}
