import { setImmediate } from 'node:timers/promises';
import { giveWay } from '../../turns.ts';

/**
 * Runs the notification of subscribers, filters and stream readers in order, outside of the tick that caused it, so
 * that notifications never delay a block.
 */
export class Delivery {
  readonly #onError: (error: unknown) => void;
  readonly #waiting: (() => Iterable<unknown>)[] = [];
  #running = false;

  /** @param deps.onError called with the error of a task; the tasks after it still run */
  constructor(deps: { onError: (error: unknown) => void }) {
    this.#onError = deps.onError;
  }

  /** @param task runs later, after the tasks added before; other work may run between its steps */
  add(task: () => Iterable<unknown>): void {
    this.#waiting.push(task);
    if (!this.#running) void this.#run();
  }

  /** Resolves when all tasks added so far have run. */
  settled(): Promise<void> {
    return new Promise((resolve) => {
      this.add(() => {
        resolve();
        return [];
      });
    });
  }

  async #run(): Promise<void> {
    this.#running = true;
    await setImmediate();
    for (let task = this.#waiting.shift(); task; task = this.#waiting.shift()) {
      try {
        for (const _ of task()) await giveWay();
      } catch (error) {
        this.#onError(error);
      }
    }
    this.#running = false;
  }
}
