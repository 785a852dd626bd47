import type { BlockMaker, BlockStart } from '../evm/block-maker.ts';
import { ZERO_HASH } from '../state/account.ts';
import type { Awaitable } from '../state/view.ts';
import type { BlockDraft } from './block-draft.ts';

const MAX_EXTRA_DATA = 32;

/** Whether an engine may make this block whole: those of Cancun and later, as the chain makes them itself. */
export function canBeWhole({ hardfork, env, plan }: BlockDraft): boolean {
  return (
    hardfork.has(4844) &&
    env.difficulty === 0n &&
    !plan.nonce &&
    !plan.uncles?.length &&
    plan.extraData.length <= MAX_EXTRA_DATA
  );
}

/** What a draft has before its first transaction. */
export function startOf({ parent, plan, env, excessBlobGas = 0n }: BlockDraft): BlockStart {
  return {
    env,
    parentHash: parent.hash,
    parentBeaconBlockRoot: plan.parentBeaconBlockRoot ?? ZERO_HASH,
    excessBlobGas,
    extraData: plan.extraData,
  };
}

/** Opens a draft in a maker. @param goesOn see {@link BlockMaker.open} @returns false when its engine can't */
export function openIn(maker: BlockMaker, draft: BlockDraft, goesOn = false): Awaitable<boolean> {
  return maker.open(startOf(draft), goesOn);
}
