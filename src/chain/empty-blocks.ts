import type { Engine } from '../evm/engine.ts';
import type { StorageRun, WrittenSlots } from '../state/storage-run.ts';
import type { Block, BlockView, TrieBlock } from './block.ts';
import { type BlockPlan, draftBlock, ZERO_HASH } from './block-draft.ts';
import { assembleBlock } from './block-seal.ts';
import { nothingRequested } from './requests.ts';
import { systemSlots } from './system-state.ts';

/** A block and what it adds to the stored states. */
export interface EmptyBlock extends WrittenSlots {
  readonly block: Block;
}

/** Makes the block after `parent`, which the one before it was; `undefined` where a hardfork is in between. */
export type NextEmptyBlock = (parent: BlockView, plan: BlockPlan) => EmptyBlock | undefined;

/**
 * Makes blocks without transactions, one on the other, the same as `openBlock` and `sealBlock` make in more than twice the
 * time. All that such blocks change are some slots of the contracts of EIP-4788 and EIP-2935, so the rest of the state
 * is looked at only once.
 * @param plan of the first block
 * @param deps.state that of `parent`
 * @returns `undefined` where a block may change more than that
 */
export async function emptyBlocksAfter(
  parent: TrieBlock,
  plan: BlockPlan,
  deps: { engine: Engine; state: StorageRun },
): Promise<NextEmptyBlock | undefined> {
  const { engine, state } = deps;
  const { hardfork } = draftBlock(parent, plan, engine, () => undefined);
  const slots = await systemSlots(hardfork, parent.state);
  const hasRequests = hardfork.has(7685);
  if (!slots || engine.schedule.daoFork || (hasRequests && !(await nothingRequested(parent.state))))
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
