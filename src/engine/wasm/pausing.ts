import type { Pauses } from '../../turns.ts';
import type { Executor } from './executor.ts';

/** What a run holds at least, in bytes: an executor of its own. */
const EXECUTOR_BYTES = 2 * 2 ** 20;
/** Pauses of a run when it is time to, and the count of what it holds meanwhile. */
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
    // Before the look at the clock: a run that holds too much is ended there.
    this.#hold(EXECUTOR_BYTES + this.#executor.footprint - this.#before);
    return this.#background.due ? this.#background.pause() : undefined;
  }

  /** The run has ended: it may be one of several of a request, such as an estimate. */
  end(): void {
    if (this.#held > 0) this.#hold(0);
  }

  #hold(bytes: number): void {
    if (bytes === this.#held) return;
    this.#background.hold(bytes - this.#held);
    this.#held = bytes;
  }
}
