import type { Clock } from '../clock.ts';
import { DevnetError } from '../errors.ts';
import { JsonStream } from './json-stream.ts';

interface Running {
  /** milliseconds on the clock */
  readonly due: number;
  readonly expire: () => void;
}

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
   * @param end called when the work takes too long, to end it. Where it returns false, the work can't be ended without a trace, and
   *   its caller waits for it
   * @returns what `work` resolves or rejects with; rejects with `timedOut` when that takes too long. A stream that `work`
   *   then opens late is cancelled; one in time may not stall, nor let its reader wait, for as long
   */
  within(work: Promise<unknown>, end: (error: DevnetError) => boolean = () => true): Promise<unknown> {
    const ms = this.#ms;
    return new Promise((resolve, reject) => {
      const timedOut = () => new DevnetError('timedOut', { ms });
      const expire = () => {
        const error = timedOut();
        if (!end(error)) return;
        isOver = true;
        reject(error);
      };
      let isOver = false;
      const running = { due: this.#clock.now() + ms, expire };
      this.#running.add(running);
      if (!this.#timer) this.#arm(ms);
      work.then(
        (result) => {
          this.#running.delete(running);
          if (result instanceof JsonStream) {
            if (isOver) result.cancel(timedOut());
            else result.limitTime(this.#clock, ms);
          }
          resolve(result);
        },
        (error) => {
          this.#running.delete(running);
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
