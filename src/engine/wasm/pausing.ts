import type { Pauses } from '../../turns.ts';
import type { Executor } from './executor.ts';

/** Minimum memory of a run, in bytes: its own executor. */
const EXECUTOR_BYTES = 2 * 2 ** 20;
/** Pauses a run when its time slice is used up, and reports the memory that it uses. */
export class Pausing {
  readonly #background: Pauses;
  readonly #executor: Executor;
  readonly #before: number;
  #held = 0;

  /** @param before the executor's footprint before the run, in bytes */
  constructor(background: Pauses, executor: Executor, before: number) {
    this.#background = background;
    this.#executor = executor;
    this.#before = before;
  }

  giveWay(): Promise<void> | undefined {
    // Before the check of the clock, since that aborts a run that uses too much memory.
    this.#hold(EXECUTOR_BYTES + this.#executor.footprint - this.#before);
    return this.#background.due ? this.#background.pause() : undefined;
  }

  /** Ends the run, which may be one of several of a request, for example of an estimate. */
  end(): void {
    if (this.#held > 0) this.#hold(0);
  }

  #hold(bytes: number): void {
    if (bytes === this.#held) return;
    this.#background.hold(bytes - this.#held);
    this.#held = bytes;
  }
}
