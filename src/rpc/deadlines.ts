import type { Clock } from '../clock.ts';
import { DevnetError } from '../errors.ts';
import { JsonStream } from './json-stream.ts';

interface Running {
  /** milliseconds on the clock */
  readonly due: number;
  readonly expire: () => void;
}

/**
 * The result of ending a call whose time is over. `ended`: the call has no effect. `rollsBack`: the call will roll back what it has done.
 * `continues`: the call can't be ended without effects, so it goes on.
 */
export type Ending = 'ended' | 'rollsBack' | 'continues';

/** How long the answer waits at most for a call to roll back, in milliseconds. */
const ROLLBACK_MS = 5_000;

/**
 * Ends calls that take too long, with one timer for all of them: starting and stopping a timer per call would take longer than many calls
 * do. All calls have the same time limit, so they fall due in the order in which they began.
 */
export class Deadlines {
  readonly #ms: number;
  readonly #clock: Clock;
  readonly #running = new Set<Running>();
  #timer: Disposable | undefined;

  /** @param options.ms milliseconds that a call may take */
  constructor(options: { ms: number }, deps: { clock: Clock }) {
    this.#ms = options.ms;
    this.#clock = deps.clock;
  }

  /**
   * @param end called when the work takes too long, to end it. If the work goes on, or rolls back, the caller waits for it; after a
   * roll-back the caller therefore reads the previous state
   * @returns the result of `work`; rejects with `timedOut` if it takes too long. A stream that `work` opens too late is cancelled. A stream
   * opened in time is subject to the same limit between two pieces, for its writer and its reader
   */
  within(work: Promise<unknown>, end: (error: DevnetError) => Ending = () => 'ended'): Promise<unknown> {
    const ms = this.#ms;
    return new Promise((resolve, reject) => {
      const timedOut = () => new DevnetError('timedOut', { ms });
      const expire = () => {
        const error = timedOut();
        const over = () => {
          isOver = true;
          reject(error);
        };
        const ending = end(error);
        if (ending === 'ended') over();
        else if (ending === 'rollsBack') late = this.#clock.after(ROLLBACK_MS, over, { keepsProcess: false });
      };
      let isOver = false;
      let late: Disposable | undefined;
      const running = { due: this.#clock.now() + ms, expire };
      this.#running.add(running);
      if (!this.#timer) this.#arm(ms);
      work.then(
        (result) => {
          this.#running.delete(running);
          late?.[Symbol.dispose]();
          if (result instanceof JsonStream) {
            if (isOver) result.cancel(timedOut());
            else result.limitTime(this.#clock, ms);
          }
          resolve(result);
        },
        (error) => {
          this.#running.delete(running);
          late?.[Symbol.dispose]();
          reject(error);
        },
      );
    });
  }

  /** Stops the timer. */
  close(): void {
    this.#timer?.[Symbol.dispose]();
  }

  /**
   * The timer isn't stopped when all calls have ended, because under load the next call begins at once. It doesn't keep the process alive.
   */
  #arm(ms: number): void {
    const expire = () => {
      this.#timer = undefined;
      const now = this.#clock.now();
      for (const running of this.#running) {
        if (running.due > now) return this.#arm(running.due - now);
        this.#running.delete(running);
        running.expire();
      }
    };
    this.#timer = this.#clock.after(ms, expire, { keepsProcess: false });
  }
}
