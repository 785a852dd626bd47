import type { Clock } from '../../clock.ts';

/** How many of the latest ticks count. */
const LATEST = 16;
/** Ticks of an idle node take less than this, in milliseconds. They begin when they are due, so that it doesn't spend time on waiting. */
const SHORT = 1;
/** The lead after such ticks, milliseconds, once there are transactions. */
const FIRST = 5;
/** Timers are late by up to this, milliseconds. */
const TIMER = 1;
/** The lead is at most this share of the time between two ticks: what is sent meanwhile waits for the next one. */
const MOST = 1 / 10;
/** For so many milliseconds before a slot, timers are too coarse: the clock is looked at in each turn of the event loop instead. */
const FINE = 2;

/**
 * How long before its slot a tick begins its work, so that the flashblock is ready when it is due: as long as the longest of the
 * latest ticks took. On a clock that stands still during work (in tests and replays) it is 0.
 */
export class Lead {
  readonly #most: number;
  readonly #clock: Pick<Clock, 'precise'>;
  readonly #wall: Pick<Clock, 'after'>;
  readonly #latest: number[] = [];
  #count = 0;
  #waited = 0;

  /**
   * @param interval between two ticks, milliseconds
   * @param deps.clock the one that says when a slot is due
   * @param deps.wall the machine's
   */
  constructor(interval: number, deps: { clock: Pick<Clock, 'precise'>; wall: Pick<Clock, 'after'> }) {
    this.#most = Math.floor(interval * MOST);
    this.#clock = deps.clock;
    this.#wall = deps.wall;
  }

  /**
   * Whole milliseconds.
   * @param hasWork whether there are transactions for the tick
   */
  ms(hasWork: boolean): number {
    const longest = Math.max(0, ...this.#latest);
    if (longest >= SHORT) return Math.min(this.#most, Math.ceil(longest) + TIMER);
    return hasWork && longest > 0 ? Math.min(this.#most, FIRST) : 0;
  }

  /** @param work of a tick until its flashblock was ready, milliseconds */
  add(work: number): void {
    this.#latest[this.#count++ % LATEST] = work;
  }

  /** How long the last {@link reach} has waited, milliseconds. */
  get waited(): number {
    return this.#waited;
  }

  /**
   * Waits until a slot is due, to a fraction of a millisecond. Other work goes on. Does nothing where ticks begin when they are due.
   * @param due milliseconds on the clock
   */
  async reach(due: number): Promise<void> {
    this.#waited = 0;
    if (this.ms(true) === 0) return;
    const begun = this.#clock.precise();
    for (;;) {
      const now = this.#clock.precise();
      const left = due - now;
      this.#waited = now - begun;
      // Much more than a lead only if the clock was set back.
      if (left <= 0 || left > 2 * this.#most) return;
      await new Promise<void>((resolve) => {
        if (left > FINE) this.#wall.after(Math.floor(left - FINE) || 1, resolve);
        else setImmediate(resolve);
      });
    }
  }
}
