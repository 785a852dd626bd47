import type { Clock, Task } from '../clock.ts';

/** Time as a recording has it: it is set, and timers run when the recording says that they did. */
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
    // Each its own, so that a task that was set twice is two.
    const timer: Task = () => task();
    this.#timers.add(timer);
    return { [Symbol.dispose]: () => this.#timers.delete(timer) };
  }

  every(): Disposable {
    throw new Error('the chain is driven by timers that run once');
  }

  /** Runs the timer that is set. @returns false when there is none */
  async fire(): Promise<boolean> {
    const [timer] = this.#timers;
    if (!timer) return false;
    this.#timers.delete(timer);
    await timer();
    return true;
  }
}
