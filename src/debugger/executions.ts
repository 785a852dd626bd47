import type { Clock } from '../clock.ts';
import type { Execution } from './execution.ts';

/** Limit of the memory for all executions, bytes. The newest execution is kept even if it is larger. */
const MAX_BYTES = 128 * 2 ** 20;
/** Milliseconds after the last use at which all executions are discarded. */
const KEPT_MS = 300_000;

/** A cache of executions, so that each debugger step doesn't execute the transaction again. */
export class Executions {
  readonly #clock: Pick<Clock, 'after'>;
  /** by transaction and position in the chain; the most recently used last */
  readonly #kept = new Map<string, Execution>();
  #timer: Disposable | undefined;

  constructor(deps: { readonly clock: Pick<Clock, 'after'> }) {
    this.#clock = deps.clock;
  }

  get(key: string): Execution | undefined {
    const found = this.#kept.get(key);
    if (found) this.set(key, found);
    return found;
  }

  set(key: string, execution: Execution): void {
    this.#kept.delete(key);
    this.#kept.set(key, execution);
    let bytes = [...this.#kept.values()].reduce((sum, { size }) => sum + size, 0);
    for (const [oldest, { size }] of this.#kept) {
      if (bytes <= MAX_BYTES || this.#kept.size === 1) break;
      this.#kept.delete(oldest);
      bytes -= size;
    }
    this.#timer?.[Symbol.dispose]();
    this.#timer = this.#clock.after(KEPT_MS, () => this.#kept.clear(), { keepsProcess: false });
  }
}
