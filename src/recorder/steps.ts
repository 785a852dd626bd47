import { type Awaitable, andThen } from '../state/view.ts';
import type { During } from './lines.ts';

/**
 * Counts the steps of the sequencer's task. A step is the begin or the end of a write to the store, or of filling a block. Between two
 * steps nothing changes that an input could observe. So a replay that inserts an input at the same step results in the same chain.
 */
export class Steps {
  readonly #wait: () => Promise<void>;
  readonly #reached: ((step: number, taken: number) => Promise<void>) | undefined;
  #step = 0;
  /** number of transactions included so far in the block that is being filled */
  #taken: number | undefined;
  /** whether other work is running now, between two transactions of the block */
  #paused = false;

  /**
   * @param options.wait yields to other work
   * @param options.reached for a replay: applies the inputs recorded before this step and before `taken` transactions
   */
  constructor(options: {
    wait: () => Promise<void>;
    reached?: ((step: number, taken: number) => Promise<void>) | undefined;
  }) {
    this.#wait = options.wait;
    this.#reached = options.reached;
  }

  /** The caller must call this when a task begins. */
  restart(): void {
    this.#step = 0;
    this.#taken = undefined;
  }

  /** The position of the running task. */
  get now(): During {
    if (this.#taken === undefined) return { during: this.#step };
    // An input that arrives while a transaction is executed takes effect after that transaction.
    return { during: this.#step, taken: this.#paused ? this.#taken : this.#taken + 1 };
  }

  /** Runs a write to the store. The step also ends if the write fails. @throws the error of the write */
  writing(write: () => Awaitable<void>): Awaitable<void> {
    let written: Awaitable<void>;
    try {
      written = andThen(this.#next(), write);
    } catch (error) {
      // Can't happen in a replay, which waits before each write: its steps end below.
      void this.#next();
      throw error;
    }
    if (written instanceof Promise) return written.finally(() => this.#next());
    return this.#next();
  }

  /** @param taken see `progress` of `fill` */
  filling(taken: number | undefined): Promise<void> | undefined {
    this.#taken = taken;
    return taken === undefined || taken === 0 ? this.#next() : undefined;
  }

  /** Yields to other work while a block is filled. @param taken number of transactions so far; `undefined` for a preview */
  async pause(taken: number | undefined): Promise<void> {
    if (taken === undefined) return this.#wait();
    this.#paused = true;
    try {
      await (this.#reached ? this.#reached(this.#step, taken) : this.#wait());
    } finally {
      this.#paused = false;
    }
  }

  #next(): Promise<void> | undefined {
    const before = this.#step++;
    return this.#reached?.(before, Number.POSITIVE_INFINITY);
  }
}
