import type { Receipt, Transaction } from '../chain/block.ts';
import { messageOf } from '../engine/message.ts';
import type { CountedRun } from '../engine/run-counts.ts';
import type { Hardfork } from '../protocol/hardfork.ts';
import { intrinsicGas } from '../protocol/intrinsic-gas.ts';
import type { Profile } from './profile.ts';

/** Adds the counts of a block's transaction to a profile. */
export function addRun(
  profile: Profile,
  { counts, maxUsedGas, success }: CountedRun,
  of: { readonly transaction: Transaction; readonly receipt: Receipt; readonly hardfork: Hardfork },
): void {
  const { transaction, receipt, hardfork } = of;
  const gasBeforeRefund = Number(maxUsedGas);
  const { gas: intrinsic } = intrinsicGas(messageOf(transaction), hardfork);
  profile.addTransaction(counts, {
    gasUsed: Number(receipt.gasUsed),
    gasBeforeRefund,
    // An OP Stack deposit that fails before its first opcode has no intrinsic gas: it uses its whole gas limit.
    intrinsic: Math.min(gasBeforeRefund, Number(intrinsic)),
    failed: !success,
  });
}
