/** Runs tasks one after the other, in the order of the calls. A task that fails doesn't stop the next ones. */
export class TaskQueue {
  #last: Promise<unknown> = Promise.resolve();
  /** tasks that run or wait */
  #tasks = 0;

  /** Whether no task runs or waits. */
  get isIdle(): boolean {
    return this.#tasks === 0;
  }

  /** @returns the task's result; rejects with its error */
  run<T>(task: () => T | Promise<T>): Promise<T> {
    this.#tasks++;
    const ended = () => {
      this.#tasks--;
    };
    const run = this.#last.then(task);
    this.#last = run.then(ended, ended);
    return run;
  }

  /**
   * The same, but where no other task runs or waits, this one begins before the call returns, and has ended by then if it
   * waits for nothing.
   * @throws what the task throws before it waits
   */
  runSoon<T>(task: () => T | Promise<T>): T | Promise<T> {
    if (!this.isIdle) return this.run(task);
    this.#tasks++;
    let next!: () => void;
    this.#last = new Promise<void>((resolve) => {
      next = resolve;
    });
    const ended = () => {
      this.#tasks--;
      next();
    };
    let result: T | Promise<T>;
    try {
      result = task();
    } catch (error) {
      ended();
      throw error;
    }
    if (result instanceof Promise) result.then(ended, ended);
    else ended();
    return result;
  }
}
