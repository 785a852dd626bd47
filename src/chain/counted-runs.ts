import type { CountedRun } from '../engine/run-counts.ts';
import type { Receipt } from './block.ts';

/** By receipt: weakly, since blocks that are open are made anew. */
const runs = new WeakMap<Receipt, CountedRun>();

/** Keeps what a transaction ran, until somebody takes it. */
export function keepRun(receipt: Receipt, run: CountedRun | undefined): void {
  if (run) runs.set(receipt, run);
}

/** What the transaction of a receipt ran, once; `undefined` where nobody counted it. */
export function takeRun(receipt: Receipt): CountedRun | undefined {
  const run = runs.get(receipt);
  runs.delete(receipt);
  return run;
}
