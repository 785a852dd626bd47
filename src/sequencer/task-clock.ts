import type { Clock, Task } from '../clock.ts';

/** A clock that is paused during each task. The task's result then depends on a single time, which is all that a replay needs. */
export class TaskClock implements Clock {
  readonly #clock: Clock;
  #held: number | undefined;

  constructor(deps: { clock: Clock }) {
    this.#clock = deps.clock;
  }

  now(): number {
    return this.#held ?? this.#clock.now();
  }

  precise(): number {
    return this.#clock.precise();
  }

  /** How long the current task has taken so far, milliseconds; 0 between tasks. */
  get elapsed(): number {
    return this.#clock.now() - this.now();
  }

  every(ms: number, task: Task): Disposable {
    return this.#clock.every(ms, task);
  }

  /** Counts from {@link now}: the duration of a task doesn't delay the next one. */
  after(ms: number, task: Task): Disposable {
    return this.#clock.after(Math.max(0, ms - this.elapsed), task);
  }

  /** Pauses the clock. @param at the task's time, milliseconds, if the task begins before that time; by default now */
  hold(at = 0): void {
    this.#held = Math.max(at, this.#clock.now());
  }

  release(): void {
    this.#held = undefined;
  }
}
