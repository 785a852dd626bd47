import type { Clock } from '../../clock.ts';
import type { MiningMode } from './mode.ts';
import type { ProducerDeps } from './producer.ts';

/** Timers may fire this many milliseconds early: Node counts from the start of the event-loop turn in which the timer is set. */
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
   * Runs `task` when it is due. Replaces the previous task.
   * @param due milliseconds on the clock
   * @param until earliest time to run it, milliseconds on the clock; takes precedence over `due`
   * @param lead milliseconds by which the task begins before `due`; its time on the clock is `due` even so
   * @param hasWork called `lead` milliseconds before `due`; if false, the task begins at `due`
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
    // More than a block time away means that the clock was set back: wait one block time instead.
    const wait = Math.min(Math.max(0, due - lead - now), this.#longest);
    const held = until === undefined ? 0 : until - now;
    const timer = this.#clock.after(Math.max(wait, held), () => {
      if (lead > 0 && !hasWork()) return this.arm(due, until, task);
      // Much more than the lead away means that the clock was set back.
      const isAhead = lead > 0 && due - this.#clock.now() <= lead + EARLY;
      return this.#run(
        async () => {
          // Another task, which ran first, may have set the timer again.
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
