import { setImmediate } from 'node:timers/promises';
import { giveWay } from '../../turns.ts';

/**
 * What subscribers, filters and readers of the stream are told, in order, outside of the tick that caused it: a block is
 * never late because of those who listen.
 */
export class Delivery {
  readonly #onError: (error: unknown) => void;
  readonly #waiting: (() => Iterable<unknown>)[] = [];
  #running = false;

  /**
   * @param deps.onError gets what a task throws; those after it run
   */
  constructor(deps: { onError: (error: unknown) => void }) {
    this.#onError = deps.onError;
  }

  /** @param task runs later, after those that were added before; others may run between its steps */
  add(task: () => Iterable<unknown>): void {
    this.#waiting.push(task);
    if (!this.#running) void this.#run();
  }

  /** Resolves when what was added so far has run. */
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
