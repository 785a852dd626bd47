import type { Clock } from '../../clock.ts';

/** The lead time is computed from this many of the latest ticks. */
const MEASURED_TICKS = 16;
/** Ticks shorter than this, in milliseconds, get no lead time: an idle node shouldn't use CPU time to wait for the slot. */
const SHORT_TICK_MS = 1;
/** Lead time in milliseconds after such short ticks, for the first tick that has transactions. */
const FIRST_LEAD_MS = 5;
/** Timers may fire this many milliseconds late. */
const TIMER_LATENESS_MS = 1;
/** Maximum lead time, as a share of the time between two ticks: transactions sent during the lead wait for the next tick. */
const MAX_SHARE = 1 / 10;
/** Timers are too coarse for the last milliseconds before a slot: from then on, the clock is polled once per event-loop turn. */
const POLLING_MS = 2;

/**
 * The lead time: the time before its slot at which a tick begins its work, so that the flashblock is ready when it is due. It is the
 * duration of the longest of the latest ticks. On a clock that doesn't advance during work (in tests and replays) it is 0.
 */
export class LeadTime {
  readonly #maxMs: number;
  readonly #clock: Pick<Clock, 'precise'>;
  readonly #wall: Pick<Clock, 'after'>;
  readonly #latest: number[] = [];
  #count = 0;
  #waited = 0;

  /**
   * @param interval between two ticks, milliseconds
   * @param deps.clock the clock of the slots
   * @param deps.wall the machine's clock, for timers
   */
  constructor(interval: number, deps: { clock: Pick<Clock, 'precise'>; wall: Pick<Clock, 'after'> }) {
    this.#maxMs = Math.floor(interval * MAX_SHARE);
    this.#clock = deps.clock;
    this.#wall = deps.wall;
  }

  /**
   * The lead time, in whole milliseconds.
   * @param hasWork whether there are transactions for the tick
   */
  ms(hasWork: boolean): number {
    const longest = Math.max(0, ...this.#latest);
    if (longest >= SHORT_TICK_MS) return Math.min(this.#maxMs, Math.ceil(longest) + TIMER_LATENESS_MS);
    return hasWork && longest > 0 ? Math.min(this.#maxMs, FIRST_LEAD_MS) : 0;
  }

  /** @param work how long a tick took until its flashblock was ready, milliseconds */
  add(work: number): void {
    this.#latest[this.#count++ % MEASURED_TICKS] = work;
  }

  /** How long the last {@link waitUntil} waited, milliseconds. */
  get waited(): number {
    return this.#waited;
  }

  /**
   * Waits until a slot is due, to a fraction of a millisecond, without blocking other work. Does nothing if the lead time is 0.
   * @param due milliseconds on the clock
   */
  async waitUntil(due: number): Promise<void> {
    this.#waited = 0;
    if (this.ms(true) === 0) return;
    const begun = this.#clock.precise();
    for (;;) {
      const now = this.#clock.precise();
      const left = due - now;
      this.#waited = now - begun;
      // A time left that is much longer than the lead time means that the clock was set back.
      if (left <= 0 || left > 2 * this.#maxMs) return;
      await new Promise<void>((resolve) => {
        if (left > POLLING_MS) this.#wall.after(Math.floor(left - POLLING_MS) || 1, resolve);
        else setImmediate(resolve);
      });
    }
  }
}
