import { vi } from 'vitest';
import { SystemClock } from '../src/clock.ts';
import { HeldLookups } from '../src/rpc/read/held-lookups.ts';
import { eventually } from './eventually.ts';

/** Milliseconds for what comes over a socket, on a machine that is busy with other things. */
const LONG = 60_000;
/** Longest hold, milliseconds. */
const MAX_HOLD_MS = 5_000;

/** Watches the look-ups that the nodes of this process hold, until it is disposed of. */
export class WatchedHolds implements Disposable {
  readonly #hold = vi.spyOn(HeldLookups.prototype, 'hold');
  readonly #after: { mockRestore(): void };
  /** holds that nothing has ended before their longest time was over */
  expired = 0;

  constructor() {
    const { after } = SystemClock.prototype;
    const told = () => this.expired++;
    this.#after = vi.spyOn(SystemClock.prototype, 'after').mockImplementation(function (
      this: SystemClock,
      ms,
      task,
      options,
    ) {
      const late = () => {
        if (ms === MAX_HOLD_MS) told();
        return task();
      };
      return after.call(this, ms, late, options);
    });
  }

  /** Waits until so many have begun. */
  begun(count: number): Promise<void> {
    return eventually(() => {
      const held = this.#hold.mock.results.filter(({ value }) => value instanceof Promise);
      if (held.length < count) throw new Error(`${held.length} of ${count} look-ups are held`);
    }, LONG);
  }

  [Symbol.dispose](): void {
    this.#hold.mockRestore();
    this.#after.mockRestore();
  }
}
