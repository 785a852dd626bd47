import type { CallReport } from '../rpc/dispatch.ts';

export interface CallCount {
  ok: number;
  failed: number;
  /** total duration, milliseconds */
  ms: number;
}

/** Counts JSON-RPC calls since the start, by method. */
export class CallCounts {
  readonly #known: ReadonlySet<string>;
  readonly #counts = new Map<string, CallCount>();

  /** @param options.methods the existing methods; calls of others are counted as `unknown` */
  constructor(options: { methods: Iterable<string> }) {
    this.#known = new Set(options.methods);
  }

  add({ method, ms, error }: CallReport): void {
    const name = this.#known.has(method) ? method : 'unknown';
    let count = this.#counts.get(name);
    if (!count) {
      count = { ok: 0, failed: 0, ms: 0 };
      this.#counts.set(name, count);
    }
    if (error === undefined) count.ok++;
    else count.failed++;
    count.ms += ms;
  }

  entries(): Iterable<readonly [string, Readonly<CallCount>]> {
    return this.#counts;
  }
}
