import type { Engine } from '../evm/engine.ts';
import { ZERO_HASH } from '../state/account.ts';
import type { StorageRun, WrittenSlots } from '../state/storage-run.ts';
import type { Block, BlockView, TrieBlock } from './block.ts';
import { type BlockPlan, draftBlock } from './block-draft.ts';
import { assembleBlock } from './block-seal.ts';
import { hasNoRequests } from './requests.ts';
import { systemSlots } from './system-state.ts';

/** A block, with the data to store for its state. */
export interface EmptyBlock extends WrittenSlots {
  readonly block: Block;
}

/** Makes the block after `parent`, which must be the block made last; `undefined` when a hardfork is between them. */
export type NextEmptyBlock = (parent: BlockView, plan: BlockPlan) => EmptyBlock | undefined;

/**
 * Makes consecutive blocks without transactions: the same blocks as `openBlock` and `sealBlock` make, in less than
 * half the time. Such blocks change only some slots of the contracts of EIP-4788 and EIP-2935, so the rest of the
 * state is checked once, at the start.
 * @param plan of the first block
 * @param deps.state on top of the state of `parent`
 * @returns `undefined` when a block may change more than these slots
 */
export async function emptyBlocksAfter(
  parent: TrieBlock,
  plan: BlockPlan,
  deps: { engine: Engine; state: StorageRun },
): Promise<NextEmptyBlock | undefined> {
  const { engine, state } = deps;
  const { hardfork } = draftBlock(parent, plan, engine, () => undefined);
  // Each of its blocks has a deposit.
  if (hardfork.rollup) return undefined;
  const slots = await systemSlots(hardfork, parent.state);
  const hasRequests = hardfork.has(7685);
  if (!slots || engine.schedule.daoFork || (hasRequests && !(await hasNoRequests(parent.state))))
    return undefined;
  return (before, next) => {
    const frame = draftBlock(before, next, engine, () => undefined);
    if (frame.hardfork !== hardfork || frame.env.difficulty > 0n) return undefined;
    const written = state.write(
      slots({
        parent: { hash: before.hash, number: before.header.number },
        beaconRoot: next.parentBeaconBlockRoot ?? ZERO_HASH,
        timestamp: next.timestamp,
      }),
    );
    const block = assembleBlock(frame, {
      stateRoot: written.state.root,
      withdrawals: hardfork.has(4895) ? [] : undefined,
      requests: hasRequests ? [] : undefined,
    });
    return { ...written, block };
  };
}
