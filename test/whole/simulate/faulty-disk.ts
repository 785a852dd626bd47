import { fdatasync, writeSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { Disk } from '../../../src/chain/store/disk.ts';

/** What is to happen at one of the next writes. */
export interface DiskFault {
  /**
   * `die`: nothing is written from then on, as if the process had been killed in the middle of the write. `refuse`: the
   * same, with ENOSPC. `short`: a write takes a part of the bytes only, as `write(2)` may.
   */
  readonly kind: 'die' | 'refuse' | 'short';
  /** how many writes go well before */
  readonly after: number;
  /** how much of the write is done, 0 to 1 */
  readonly part: number;
}

/** Size up to which the operating system writes all or nothing: within a page. */
const WHOLE = 12;
const sync = promisify(fdatasync);

/** A disk that fails when it is told to, and lets LevelDB wait. */
export class FaultyDisk implements Disk {
  /** little, so that LevelDB gets its batches all the time */
  readonly room = 20_000;
  /** turns of the event loop that LevelDB waits for before each batch */
  delay = 0;
  #fault: DiskFault | undefined;
  #left = 0;
  #error: Error | undefined;

  /** Whether nothing is written any more. */
  get hasFailed(): boolean {
    return this.#error !== undefined;
  }

  fail(fault: DiskFault): void {
    this.#fault = fault;
    this.#left = fault.after;
  }

  /** Writes nothing from now on. */
  die(): void {
    this.#error ??= new Error('the simulated process is dead');
  }

  write(fd: number, bytes: Uint8Array, from: number, length: number, position: number): number {
    const fault = this.#next();
    if (!fault) return writeSync(fd, bytes, from, length, position);
    const part = length > WHOLE ? Math.ceil(length * fault.part) : length;
    const written = writeSync(fd, bytes, from, part, position);
    if (fault.kind === 'short') return written;
    throw this.#error;
  }

  async sync(fd: number): Promise<void> {
    this.#next();
    if (this.#error) throw this.#error;
    await sync(fd);
  }

  async batch(write: () => Promise<void>): Promise<void> {
    for (let turn = 0; turn < this.delay; turn++) await setImmediate();
    const fault = this.#next();
    // LevelDB's own log makes a batch atomic: it was written, or it wasn't.
    if (!fault || fault.kind === 'short' || fault.part > 0.5) await write();
    if (this.#error) throw this.#error;
  }

  /** @returns the fault, if this is the write that it was meant for; throws after one */
  #next(): DiskFault | undefined {
    if (this.#error) throw this.#error;
    const fault = this.#fault;
    if (!fault || this.#left-- > 0) return undefined;
    this.#fault = undefined;
    if (fault.kind === 'die') this.die();
    if (fault.kind === 'refuse')
      this.#error = Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
    return fault;
  }
}
