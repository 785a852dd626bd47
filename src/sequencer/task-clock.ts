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

  every(ms: number, task: Task): Disposable {
    return this.#clock.every(ms, task);
  }

  after(ms: number, task: Task): Disposable {
    return this.#clock.after(ms, task);
  }

  hold(): void {
    this.#held = this.#clock.now();
  }

  release(): void {
    this.#held = undefined;
  }
}
