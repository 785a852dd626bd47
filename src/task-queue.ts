/** Runs tasks one after the other, in the order of the calls. A task that fails doesn't stop the next ones. */
export class TaskQueue {
  /** the end of the last task; `undefined` while a task of {@link runSoon} runs and none waits */
  #last: Promise<unknown> | undefined = Promise.resolve();
  /** lets the task begin that waits for one of {@link runSoon} */
  #proceed: (() => void) | undefined;
  /** tasks that run or wait */
  #tasks = 0;

  /** Whether no task runs or waits. */
  get isIdle(): boolean {
    return this.#tasks === 0;
  }

  /** @returns the task's result; rejects with its error */
  run<T>(task: () => T | Promise<T>): Promise<T> {
    this.#last ??= this.isIdle ? Promise.resolve() : this.#endOfSoon();
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
    this.#last = undefined;
    let result: T | Promise<T> | undefined;
    try {
      result = task();
      return result;
    } finally {
      if (result instanceof Promise) {
        const ended = () => this.#endSoon();
        result.then(ended, ended);
      } else this.#endSoon();
    }
  }

  /** Made only when somebody waits for it: most tasks of {@link runSoon} end at once. */
  #endOfSoon(): Promise<void> {
    return new Promise((resolve) => {
      this.#proceed = resolve;
    });
  }

  #endSoon(): void {
    this.#tasks--;
    this.#proceed?.();
    this.#proceed = undefined;
  }
}
