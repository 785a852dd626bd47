import type { Clock } from '../clock.ts';
import { DevnetError } from '../errors.ts';
import { JsonStream } from './json-stream.ts';

interface Running {
  /** milliseconds on the clock */
  readonly due: number;
  readonly expire: () => void;
}

/**
 * What comes of a call whose time is over: it is ended and leaves nothing; it is about to take back what it has done; or it can't
 * be ended any more without a trace, and goes on.
 */
export type Ending = 'ended' | 'takesBack' | 'goesOn';

/** How long the answer waits at most for a call that takes back what it has done, milliseconds. */
const TAKING_BACK = 5_000;

/**
 * Ends calls that take too long, all with one timer: setting and stopping one for each call would cost more than many
 * a call. All have the same time, so they are due in the order in which they began.
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
   * @param end called when the work takes too long, to end it. The caller waits for work that goes on, and for work that takes back
   *   what it has done, so that what it reads next is what was there before
   * @returns what `work` resolves or rejects with; rejects with `timedOut` when that takes too long. A stream that `work`
   *   then opens late is cancelled; one in time may not stall, nor let its reader wait, for as long
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
        else if (ending === 'takesBack') late = this.#clock.after(TAKING_BACK, over, { keepsProcess: false });
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
   * The timer isn't stopped when all calls have ended: under load the next one is about to begin. A script whose chain runs in its
   * own process ends without waiting for it.
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
