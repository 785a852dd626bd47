import type { Clock } from '../../clock.ts';
import type { MiningMode } from './mode.ts';
import type { ProducerDeps } from './producer.ts';

/** Timers may run early by so many milliseconds: Node counts from the beginning of the event loop's turn in which one is set. */
const EARLY = 20;

/** The single timer of a block producer: one task is due at a time. */
export class ProducerTimer {
  readonly #longest: number;
  readonly #clock: Clock;
  readonly #run: ProducerDeps['run'];
  #timer: Disposable | undefined;

  constructor(mode: MiningMode, deps: Pick<ProducerDeps, 'clock' | 'run'>) {
    this.#longest = 'blockTime' in mode ? (mode.longestBlockTime ?? mode.blockTime) : 0;
    this.#clock = deps.clock;
    this.#run = deps.run;
  }

  /**
   * Runs `task` when it is due, and forgets the previous task.
   * @param due milliseconds on the clock
   * @param until earliest time to run it, milliseconds on the clock; takes precedence over `due`
   * @param lead milliseconds by which it begins before it is due; its time is that at which it is due all the same
   * @param hasWork whether it has a reason to begin before it is due
   */
  arm(
    due: number,
    until: number | undefined,
    task: () => Promise<void>,
    lead = 0,
    hasWork = () => true,
  ): void {
    this.stop();
    const now = this.#clock.now();
    // More than a block time away only if the clock was set back: then wait one block time instead.
    const wait = Math.min(Math.max(0, due - lead - now), this.#longest);
    const held = until === undefined ? 0 : until - now;
    const timer = this.#clock.after(Math.max(wait, held), () => {
      if (lead > 0 && !hasWork()) return this.arm(due, until, task);
      // Much more than the lead only if the clock was set back.
      const isAhead = lead > 0 && due - this.#clock.now() <= lead + EARLY;
      return this.#run(
        async () => {
          // A task that came first may have set the timer anew.
          if (this.#timer === timer) await task();
        },
        isAhead ? due : undefined,
      );
    });
    this.#timer = timer;
  }

  stop(): void {
    this.#timer?.[Symbol.dispose]();
    this.#timer = undefined;
  }
}
