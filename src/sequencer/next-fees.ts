import type { Header } from '../chain/block.ts';
import { type BlockPlan, baseFeeOf } from '../chain/block-draft.ts';
import { blobBaseFee, nextExcessBlobGas } from '../chain/fees.ts';
import type { Hardfork, HardforkSchedule } from '../protocol/hardfork.ts';

/** The next block, and its fees in wei per gas and per blob gas; a fee is `undefined` if the hardfork doesn't have it. */
export interface NextFees {
  readonly baseFee: bigint | undefined;
  readonly blobBaseFee: bigint | undefined;
  /** the hardfork of that block */
  readonly hardfork: Hardfork;
  readonly number: bigint;
  /** seconds */
  readonly timestamp: bigint;
}

/** Fees of an open block. */
export function feesOfOpen(header: Header, schedule: HardforkSchedule): NextFees {
  const hardfork = schedule.at(header.number, header.timestamp, header.difficulty);
  return {
    baseFee: header.baseFeePerGas,
    blobBaseFee: blobBaseFee(header.excessBlobGas, hardfork),
    hardfork,
    number: header.number,
    timestamp: header.timestamp,
  };
}

/** Fees of the block that would be made on `parent` by `plan`. */
export function feesOfPlan(parent: Header, plan: BlockPlan, schedule: HardforkSchedule): NextFees {
  const number = parent.number + 1n;
  const { timestamp } = plan;
  const hardfork = schedule.at(number, timestamp);
  return {
    baseFee: baseFeeOf(plan, parent, hardfork),
    blobBaseFee: blobBaseFee(nextExcessBlobGas(parent, hardfork), hardfork),
    hardfork,
    number,
    timestamp,
  };
}
