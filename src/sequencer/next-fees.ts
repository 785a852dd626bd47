import type { Header } from '../chain/block.ts';
import type { BlockPlan } from '../chain/block-draft.ts';
import { blobBaseFee, nextBaseFee, nextExcessBlobGas } from '../chain/fees.ts';
import type { Fork, ForkSchedule } from '../evm/fork.ts';

/** wei per gas and per blob gas; absent where the fork has no such fee */
export interface NextFees {
  readonly baseFee: bigint | undefined;
  readonly blobBaseFee: bigint | undefined;
  /** whose rules hold then */
  readonly fork: Fork;
}

/** Fees of a block that is open. */
export function feesOfOpen(header: Header, schedule: ForkSchedule): NextFees {
  const fork = schedule.at(header.number, header.timestamp, header.difficulty);
  return { baseFee: header.baseFeePerGas, blobBaseFee: blobBaseFee(header.excessBlobGas, fork), fork };
}

/** Fees of the block that would be made on `parent` as planned. */
export function feesOfPlan(parent: Header, plan: BlockPlan, schedule: ForkSchedule): NextFees {
  const fork = schedule.at(parent.number + 1n, plan.timestamp);
  return {
    baseFee: plan.baseFeePerGas ?? nextBaseFee(parent, fork),
    blobBaseFee: blobBaseFee(nextExcessBlobGas(parent, fork), fork),
    fork,
  };
}
