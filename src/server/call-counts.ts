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

  /** @param options.methods names of the existing methods; calls of other methods are counted as `unknown` */
  constructor(options: { methods: Iterable<string> }) {
    this.#known = new Set(options.methods);
  }

  add({ method, ms, error }: CallReport): void {
    const count = this.#counts.get(method) ?? this.#begin(this.#known.has(method) ? method : 'unknown');
    if (error === undefined) count.ok++;
    else count.failed++;
    count.ms += ms;
  }

  #begin(name: string): CallCount {
    const count = this.#counts.get(name) ?? { ok: 0, failed: 0, ms: 0 };
    this.#counts.set(name, count);
    return count;
  }

  entries(): Iterable<readonly [string, Readonly<CallCount>]> {
    return this.#counts;
  }
}
