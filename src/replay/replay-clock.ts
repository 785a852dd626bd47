import type { Clock, Task } from '../clock.ts';

/** The clock of a replay: its time is set from the recording, and its timers fire only when the recording says so. */
export class ReplayClock implements Clock {
  #now = 0;
  readonly #timers = new Set<Task>();

  now(): number {
    return this.#now;
  }

  set(ms: number): void {
    this.#now = ms;
  }

  after(_ms: number, task: Task): Disposable {
    // A new function, so that the Set keeps two timers of the same task apart.
    const timer: Task = () => task();
    this.#timers.add(timer);
    return { [Symbol.dispose]: () => this.#timers.delete(timer) };
  }

  every(): Disposable {
    throw new Error('the chain is driven by timers that run once');
  }

  /** Runs the timer that was set. @returns false when there is none */
  async fire(): Promise<boolean> {
    const [timer] = this.#timers;
    if (!timer) return false;
    this.#timers.delete(timer);
    await timer();
    return true;
  }
}
