/** Runs tasks one after the other, in the order they came; one that fails doesn't hold up the next. */
export class TaskQueue {
  #last: Promise<unknown> = Promise.resolve();

  /** @returns what the task returns, or its failure */
  run<T>(task: () => Promise<T>): Promise<T> {
    const run = this.#last.then(task);
    this.#last = run.catch(() => {});
    return run;
  }
}
