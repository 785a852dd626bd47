import type { Receipt, Transaction } from '../chain/block.ts';
import type { Tracer } from '../engine/engine.ts';
import { messageOf } from '../engine/message.ts';
import type { RunCounts } from '../engine/run-counts.ts';
import type { Hardfork } from '../protocol/hardfork.ts';
import { intrinsicGas } from '../protocol/intrinsic-gas.ts';
import type { Executed } from '../protocol/types.ts';
import type { Profile } from './profile.ts';

/** Keeps what a run tells of its counters. */
export class Counting implements Tracer {
  #counts: RunCounts = { codes: [], frames: [] };

  get counts(): RunCounts {
    return this.#counts;
  }

  readonly listener = {
    start: () => {
      this.#counts = { codes: [], frames: [] };
    },
    counts: ({ codes, frames }: RunCounts) => {
      // The codes are views of the engine's memory.
      const copies = new Map(codes.map((each) => [each, { ...each, code: new Uint8Array(each.code) }]));
      this.#counts = {
        codes: [...copies.values()],
        frames: frames.map((frame) => ({ ...frame, code: frame.code && copies.get(frame.code) })),
      };
    },
  };
}

const CHANGED = 'executed again it comes to something else: the state was changed while its block was open';

/** Adds what a transaction of a block ran when it was executed again. One that comes to something else than its receipt is missed. */
export function addTransaction(
  profile: Profile,
  counts: RunCounts,
  of: {
    readonly transaction: Transaction;
    readonly receipt: Receipt;
    readonly executed: Executed;
    readonly hardfork: Hardfork;
  },
): void {
  const { transaction, receipt, executed, hardfork } = of;
  const { gasUsed, maxUsedGas, success } = executed;
  if (gasUsed !== receipt.gasUsed || (receipt.status ?? success) !== success) {
    profile.miss(1, CHANGED);
    return;
  }
  const { gas: intrinsic } = intrinsicGas(messageOf(transaction), hardfork);
  profile.addTransaction(counts, {
    gasUsed: Number(gasUsed),
    gasBeforeRefund: Number(maxUsedGas),
    // A deposit of the OP Stack that can't begin has no intrinsic gas: it uses all it has.
    intrinsic: Math.min(Number(gasUsed), Number(intrinsic)),
    failed: !success,
  });
}
