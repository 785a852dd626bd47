import type { Clock } from '../../clock.ts';
import type { MiningMode } from './mode.ts';

/** The one timer of a block producer, for what falls due next. */
export class ProducerTimer {
  readonly #longest: number;
  readonly #clock: Clock;
  readonly #run: (task: () => Promise<void>) => Promise<void>;
  #timer: Disposable | undefined;

  /** @param deps.run runs what fell due as the only writer; never rejects */
  constructor(mode: MiningMode, deps: { clock: Clock; run: (task: () => Promise<void>) => Promise<void> }) {
    this.#longest = 'blockTime' in mode ? (mode.longestBlockTime ?? mode.blockTime) : 0;
    this.#clock = deps.clock;
    this.#run = deps.run;
  }

  /**
   * Runs `task` when it is due, instead of what was to be run.
   * @param due milliseconds on the clock
   * @param until not before then, where that was asked for
   */
  arm(due: number, until: number | undefined, task: () => Promise<void>): void {
    this.stop();
    const now = this.#clock.now();
    // Never further away than a block, unless the clock was set back.
    const wait = Math.min(Math.max(0, due - now), this.#longest);
    const held = until === undefined ? 0 : until - now;
    this.#timer = this.#clock.after(Math.max(wait, held), () => this.#run(task));
  }

  stop(): void {
    this.#timer?.[Symbol.dispose]();
    this.#timer = undefined;
  }
}
