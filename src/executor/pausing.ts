import type { Pauses } from '../turns.ts';
import type { Executor } from './executor.ts';

/** What a run holds at least, in bytes: an executor of its own. */
const EXECUTOR_BYTES = 2 * 2 ** 20;
/**
 * Bytes that an executor may have after a run for it to be kept, unless it had almost as many before: its memory would stay in use,
 * and to empty it takes milliseconds.
 */
const MOST_KEPT = 8 * 2 ** 20;
/** Bytes by which it may have grown if it had more before. */
const MOST_GROWTH = 2 ** 20;

/** Pauses of a run when it is time to, and the count of what it holds meanwhile. */
export class Pausing {
  readonly #background: Pauses;
  readonly #executor: Executor;
  readonly #before: number;
  #held = 0;

  constructor(background: Pauses, executor: Executor) {
    this.#background = background;
    this.#executor = executor;
    this.#before = executor.footprint;
  }

  giveWay(): Promise<void> | undefined {
    // Before the look at the clock: a run that holds too much is ended there.
    this.#hold(EXECUTOR_BYTES + this.#executor.footprint - this.#before);
    return this.#background.due ? this.#background.pause() : undefined;
  }

  /** Whether the executor has grown so much since the run began that it shouldn't be kept. */
  get hasGrown(): boolean {
    const { footprint } = this.#executor;
    return footprint > MOST_KEPT && footprint > this.#before + MOST_GROWTH;
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
