import { type Signal, signal } from '@preact/signals';
import type { Hex } from './types.ts';

/** Transactions whose outcomes are remembered. */
const MOST = 10_000;

/** Which transactions in blocks succeeded and which failed. */
export class Outcomes {
  readonly #failed = new Map<Hex, boolean>();
  /** Grows with each change. */
  readonly version: Signal<number> = signal(0);

  /** @param failed of each transaction, whether it failed */
  add(outcomes: Iterable<readonly [hash: Hex, failed: boolean]>): void {
    for (const [hash, failed] of outcomes) {
      this.#failed.delete(hash);
      this.#failed.set(hash, failed);
    }
    for (const oldest of this.#failed.keys()) {
      if (this.#failed.size <= MOST) break;
      this.#failed.delete(oldest);
    }
    this.version.value++;
  }

  of(hash: Hex): 'success' | 'failed' | undefined {
    void this.version.value;
    const failed = this.#failed.get(hash);
    return failed === undefined ? undefined : failed ? 'failed' : 'success';
  }

  clear(): void {
    this.#failed.clear();
    this.version.value++;
  }
}
