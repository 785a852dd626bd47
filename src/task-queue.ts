/** Runs tasks one after the other, in the order of the calls. A failed task doesn't stop the next ones. */
export class TaskQueue {
  /** resolves when the last task has ended; `undefined` once {@link runSoon} has begun a task, until another one is enqueued */
  #last: Promise<unknown> | undefined = Promise.resolve();
  /** starts the task that waits for a task of {@link runSoon} */
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
   * Like {@link run}, but if no other task runs or waits, the task begins before this returns. A synchronous task has then also
   * ended.
   * @throws an error that the task throws synchronously
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

  /** Created lazily, when another task has to wait: most tasks of {@link runSoon} end synchronously. */
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
