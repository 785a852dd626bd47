import type { During } from './lines.ts';

/**
 * Where the sequencer's task is: between two of these steps nothing changes that an input could meet, so that a replay
 * which puts an input at the same step gets the same chain. A step is the beginning or the end of a write of the store,
 * or of filling a block.
 */
export class Steps {
  readonly #wait: () => Promise<void>;
  readonly #reached: ((step: number, taken: number) => Promise<void>) | undefined;
  #step = 0;
  /** transactions that the block has which is being filled */
  #taken: number | undefined;
  /** others run, between two transactions of it */
  #paused = false;

  /**
   * @param options.wait lets others run
   * @param options.reached a replay's: puts in what came up to this step, and up to so many transactions of the block
   */
  constructor(options: {
    wait: () => Promise<void>;
    reached?: ((step: number, taken: number) => Promise<void>) | undefined;
  }) {
    this.#wait = options.wait;
    this.#reached = options.reached;
  }

  /** A task begins. */
  restart(): void {
    this.#step = 0;
    this.#taken = undefined;
  }

  get now(): During {
    if (this.#taken === undefined) return { during: this.#step };
    // Else it comes while the next one is executed, and counts after that.
    return { during: this.#step, taken: this.#paused ? this.#taken : this.#taken + 1 };
  }

  /** Runs a write of the store. */
  async writing<T>(write: () => Promise<T>): Promise<T> {
    await this.#next();
    try {
      return await write();
    } finally {
      await this.#next();
    }
  }

  /** @param taken see `fill` */
  filling(taken: number | undefined): Promise<void> | undefined {
    this.#taken = taken;
    return taken === undefined || taken === 0 ? this.#next() : undefined;
  }

  /**
   * Lets others run in the middle of a block.
   * @param taken `undefined` for one that is only tried, which may be beside the task
   */
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
