import type { Clock, Task } from '../clock.ts';

interface Timer {
  /** milliseconds */
  readonly due: number;
  readonly task: Task;
}

/**
 * The clock of a replay: its time is set from the recording, and its timers fire only when the recording says so. If the replay serves
 * readers, the time continues between inputs, and {@link ReplayClock.release} turns it into an ordinary clock.
 */
export class ReplayClock implements Clock {
  readonly #system: Clock | undefined;
  /** the recorded time; `undefined` = the time of `system` */
  #held: number | undefined = 0;
  #isReleased = false;
  readonly #timers = new Set<Timer>();

  /** @param system provides the time between inputs; without it, the time doesn't advance there */
  constructor(system?: Clock) {
    this.#system = system;
  }

  now(): number {
    return this.#held ?? this.#system!.now();
  }

  precise(): number {
    return this.#held ?? this.#system!.precise();
  }

  set(ms: number): void {
    this.#held = ms;
  }

  /** The caller must call this after each input. */
  pass(): void {
    if (this.#system) this.#held = undefined;
  }

  after(ms: number, task: Task): Disposable {
    if (this.#isReleased) return this.#system!.after(ms, task);
    const timer: Timer & { running?: Disposable } = { due: this.now() + ms, task };
    this.#timers.add(timer);
    return {
      [Symbol.dispose]: () => {
        this.#timers.delete(timer);
        timer.running?.[Symbol.dispose]();
      },
    };
  }

  every(): Disposable {
    throw new Error('the chain is driven by timers that run once');
  }

  /** Runs the timer that is set. @returns false if none is set */
  async fire(): Promise<boolean> {
    const [timer] = this.#timers;
    if (!timer) return false;
    this.#timers.delete(timer);
    await timer.task();
    return true;
  }

  /** From now on timers fire by themselves, including those already set. */
  release(): void {
    this.pass();
    this.#isReleased = true;
    for (const timer of this.#timers as Set<Timer & { running?: Disposable }>)
      timer.running = this.#system!.after(Math.max(0, timer.due - this.now()), timer.task);
    this.#timers.clear();
  }
}
