/** Runs tasks one after the other, in the order of the calls. A task that fails doesn't stop the next ones. */
export class TaskQueue {
  #last: Promise<unknown> = Promise.resolve();

  /** @returns the task's result; rejects with its error */
  run<T>(task: () => Promise<T>): Promise<T> {
    const run = this.#last.then(task);
    this.#last = run.catch(() => {});
    return run;
  }
}
