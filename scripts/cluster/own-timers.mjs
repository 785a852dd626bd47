import { AsyncLocalStorage } from 'node:async_hooks';

/** The timers of one node of several in a process, which stand still while it is stopped, as those of a process do. */
export class OwnTimers {
  #isStopped = false;
  /** those that were due meanwhile, in their order, and what they run */
  #due = new Map();

  /** Runs a function whose timers, and those of all that it begins, are these. */
  run(task) {
    return nodes.run(this, task);
  }

  stop() {
    this.#isStopped = true;
  }

  continue() {
    this.#isStopped = false;
    for (const [timer, task] of this.#due) {
      // One that ran before it may have cleared it.
      if (!this.#due.delete(timer)) continue;
      task();
    }
  }

  /** Nothing of it runs any more. */
  end() {
    this.continue();
  }

  fire(timer, task) {
    if (this.#isStopped) this.#due.set(timer, task);
    else task();
  }

  clear(timer) {
    this.#due.delete(timer);
  }
}

const nodes = new AsyncLocalStorage();
const { setTimeout: set, clearTimeout: clear } = globalThis;

globalThis.setTimeout = Object.assign((task, ms, ...args) => {
  const own = nodes.getStore();
  if (!own) return set(task, ms, ...args);
  const timer = set(() => own.fire(timer, () => task(...args)), ms);
  return timer;
}, set);
globalThis.clearTimeout = (timer) => {
  nodes.getStore()?.clear(timer);
  clear(timer);
};
