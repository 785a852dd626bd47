import type { Clock, Task } from '../clock.ts';

/**
 * A clock that stands still while the sequencer does one thing, so that the moment when it began is all the time that
 * goes into it: a replay needs no other (SPEC 7).
 */
export class TaskClock implements Clock {
  readonly #clock: Clock;
  #held: number | undefined;

  constructor(deps: { clock: Clock }) {
    this.#clock = deps.clock;
  }

  now(): number {
    return this.#held ?? this.#clock.now();
  }

  /** How long ago {@link now} was, milliseconds: what the task has taken so far. */
  get elapsed(): number {
    return this.#clock.now() - this.now();
  }

  every(ms: number, task: Task): Disposable {
    return this.#clock.every(ms, task);
  }

  /** Counted from the moment that {@link now} says: what a task takes doesn't make the next one late. */
  after(ms: number, task: Task): Disposable {
    return this.#clock.after(Math.max(0, ms - this.elapsed), task);
  }

  hold(): void {
    this.#held = this.#clock.now();
  }

  release(): void {
    this.#held = undefined;
  }
}
