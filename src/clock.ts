/**
 * The only source of time. A node has two instances: one drives the chain (ticks, timestamps) and may be manual; the
 * other is always the system clock and serves I/O (timeouts, heartbeats).
 */
export interface Clock {
  /** Milliseconds since the Unix epoch, a whole number. */
  now(): number;
  /** Like {@link now}, with fractions of a millisecond. For measurements only: no recorded value may depend on it. */
  precise(): number;
  /** Runs `task` every `ms` milliseconds, the first time after `ms`. Runs of one timer never overlap. */
  every(ms: number, task: Task): Disposable;
  /**
   * Runs `task` once, `ms` milliseconds from now.
   * @param options.keepsProcess whether the timer keeps the process running; default: true
   */
  after(ms: number, task: Task, options?: { keepsProcess: boolean }): Disposable;
}

/** A timer's callback. The timer's next run and {@link ManualClock.advance} wait for a returned promise. */
export type Task = () => void | Promise<void>;

/** Wall time. `every` keeps its schedule: a late run doesn't delay the following ones. */
export class SystemClock implements Clock {
  now(): number {
    return Date.now();
  }

  precise(): number {
    const now = Date.now();
    const precise = performance.timeOrigin + performance.now();
    // The two differ after the system time was changed.
    return Math.abs(precise - now) < 2 ? precise : now;
  }

  after(ms: number, task: Task, { keepsProcess } = { keepsProcess: true }): Disposable {
    const timer = setTimeout(() => void task(), ms);
    if (!keepsProcess) timer.unref();
    return { [Symbol.dispose]: () => clearTimeout(timer) };
  }

  every(ms: number, task: Task): Disposable {
    let due = performance.now() + ms;
    let stopped = false;
    let timer: NodeJS.Timeout;
    const run = async () => {
      await task();
      if (stopped) return;
      const now = performance.now();
      // Skips the runs that fell due while the task ran, instead of running them in a burst.
      due = Math.max(due + ms, due + Math.floor((now - due) / ms) * ms);
      timer = setTimeout(run, due - now);
    };
    timer = setTimeout(run, ms);
    return {
      [Symbol.dispose]: () => {
        stopped = true;
        clearTimeout(timer);
      },
    };
  }
}

/** A clock that advances only by {@link ManualClock.advance}, which runs the due timers in order and waits for them. */
export class ManualClock implements Clock {
  #now: number;
  #order = 0;
  readonly #timers = new Set<{ due: number; order: number; interval?: number; task: Task }>();

  /** @param start milliseconds since the Unix epoch */
  constructor(start = 0) {
    this.#now = start;
  }

  now(): number {
    return this.#now;
  }

  precise(): number {
    return this.#now;
  }

  every(ms: number, task: Task): Disposable {
    return this.#add({ due: this.#now + ms, order: this.#order++, interval: ms, task });
  }

  after(ms: number, task: Task): Disposable {
    return this.#add({ due: this.#now + ms, order: this.#order++, task });
  }

  /** Moves time forward by `ms` milliseconds, running every timer at the moment it is due. */
  async advance(ms: number): Promise<void> {
    const end = this.#now + ms;
    for (;;) {
      let next: { due: number; order: number; interval?: number; task: Task } | undefined;
      for (const timer of this.#timers) {
        if (timer.due > end) continue;
        if (!next || timer.due < next.due || (timer.due === next.due && timer.order < next.order))
          next = timer;
      }
      if (!next) break;
      this.#now = Math.max(this.#now, next.due);
      if (next.interval === undefined) this.#timers.delete(next);
      else next.due += next.interval;
      await next.task();
    }
    this.#now = Math.max(this.#now, end);
  }

  #add(timer: { due: number; order: number; interval?: number; task: Task }): Disposable {
    this.#timers.add(timer);
    return { [Symbol.dispose]: () => this.#timers.delete(timer) };
  }
}
