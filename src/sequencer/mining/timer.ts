import type { Clock } from '../../clock.ts';
import type { MiningMode } from './mode.ts';

/** The single timer of a block producer: one task is due at a time. */
export class ProducerTimer {
  readonly #longest: number;
  readonly #clock: Clock;
  readonly #run: (task: () => Promise<void>) => Promise<void>;
  #timer: Disposable | undefined;

  /** @param deps.run runs a due task as the only writer; never rejects */
  constructor(mode: MiningMode, deps: { clock: Clock; run: (task: () => Promise<void>) => Promise<void> }) {
    this.#longest = 'blockTime' in mode ? (mode.longestBlockTime ?? mode.blockTime) : 0;
    this.#clock = deps.clock;
    this.#run = deps.run;
  }

  /**
   * Runs `task` when it is due, and forgets the previous task.
   * @param due milliseconds on the clock
   * @param until earliest time to run it, milliseconds on the clock; takes precedence over `due`
   */
  arm(due: number, until: number | undefined, task: () => Promise<void>): void {
    this.stop();
    const now = this.#clock.now();
    // More than a block time away only if the clock was set back: then wait one block time instead.
    const wait = Math.min(Math.max(0, due - now), this.#longest);
    const held = until === undefined ? 0 : until - now;
    const timer = this.#clock.after(Math.max(wait, held), () =>
      this.#run(async () => {
        // A task that came first may have set the timer anew.
        if (this.#timer === timer) await task();
      }),
    );
    this.#timer = timer;
  }

  stop(): void {
    this.#timer?.[Symbol.dispose]();
    this.#timer = undefined;
  }
}
