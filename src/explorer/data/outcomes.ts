import { type Signal, signal } from '@preact/signals';
import type { Hex } from './types.ts';

/** Limit of the transactions whose outcomes are kept, in addition to those of the kept blocks. */
const MAX = 1_000;

/** Which transactions in blocks succeeded and which failed. */
export class Outcomes {
  readonly #failed = new Map<Hex, boolean>();
  /** Grows with each change. */
  readonly version: Signal<number> = signal(0);
  /** transactions in the blocks that are kept */
  inBlocks = 0;

  /** @param outcomes pairs of a transaction's hash and whether it failed */
  add(outcomes: Iterable<readonly [hash: Hex, failed: boolean]>): void {
    for (const [hash, failed] of outcomes) {
      this.#failed.delete(hash);
      this.#failed.set(hash, failed);
    }
    for (const oldest of this.#failed.keys()) {
      if (this.#failed.size <= MAX + this.inBlocks) break;
      this.#failed.delete(oldest);
    }
    this.version.value++;
  }

  /** Components that request an unknown outcome are rendered again after the next change. */
  of(hash: Hex): 'success' | 'failed' | undefined {
    const failed = this.#failed.get(hash);
    if (failed !== undefined) return failed ? 'failed' : 'success';
    void this.version.value;
    return undefined;
  }

  clear(): void {
    this.#failed.clear();
    this.version.value++;
  }
}
