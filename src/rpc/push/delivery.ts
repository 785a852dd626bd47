import { setImmediate } from 'node:timers/promises';
import { giveWay } from '../../turns.ts';

/** Returns the task's steps; if a step is a promise, the next step runs when it has resolved. */
type Task = () => Iterable<Promise<void> | undefined>;

/**
 * Notifies subscribers, filters and stream readers in order, outside the tick that caused the notification, so that notifications never
 * delay a block.
 */
export class Delivery {
  readonly #onError: (error: unknown) => void;
  readonly #waiting: Task[] = [];
  #running = false;

  /** @param deps.onError called with the error of a task; the tasks after it still run */
  constructor(deps: { onError: (error: unknown) => void }) {
    this.#onError = deps.onError;
  }

  /** Number of waiting tasks. */
  get waiting(): number {
    return this.#waiting.length;
  }

  /** @param task runs later, after the tasks added before; other work can run between its steps */
  add(task: Task): void {
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
        for (const step of task()) await (step ?? giveWay());
      } catch (error) {
        this.#onError(error);
      }
    }
    this.#running = false;
  }
}
