import type { Tracer } from '../engine.ts';
import { keptCounts, type RunCounts } from '../run-counts.ts';

/** Keeps the counts of a run. */
export class Counting implements Tracer {
  #counts: RunCounts = { codes: [], frames: [] };

  get counts(): RunCounts {
    return this.#counts;
  }

  readonly listener = {
    start: () => {
      this.#counts = { codes: [], frames: [] };
    },
    counts: (counts: RunCounts) => {
      this.#counts = keptCounts(counts);
    },
  };
}
