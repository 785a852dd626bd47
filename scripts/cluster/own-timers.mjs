import { AsyncLocalStorage } from 'node:async_hooks';

/** The timers of one of several nodes in a process. They are paused while the node is stopped, like those of a stopped process. */
export class OwnTimers {
  #isStopped = false;
  /** timers that became due meanwhile, in their order, and their callbacks */
  #due = new Map();

  /** Runs a function; timers that it or its callees start belong to this node. */
  run(task) {
    return nodes.run(this, task);
  }

  stop() {
    this.#isStopped = true;
  }

  continue() {
    this.#isStopped = false;
    for (const [timer, task] of this.#due) {
      // A callback that ran before may have cleared this timer.
      if (!this.#due.delete(timer)) continue;
      task();
    }
  }

  /** Ends the pause. */
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
