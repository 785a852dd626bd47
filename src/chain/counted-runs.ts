import type { CountedRun } from '../engine/run-counts.ts';
import type { Receipt } from './block.ts';

/** Runs by receipt. A WeakMap, because open blocks are discarded and made again. */
const runs = new WeakMap<Receipt, CountedRun>();

/** Stores a transaction's counted run until {@link takeRun} is called. */
export function keepRun(receipt: Receipt, run: CountedRun | undefined): void {
  if (run) runs.set(receipt, run);
}

/** Returns and removes the counted run of a receipt's transaction; `undefined` if the run wasn't counted. */
export function takeRun(receipt: Receipt): CountedRun | undefined {
  const run = runs.get(receipt);
  runs.delete(receipt);
  return run;
}
