import type { BlockMaker } from '../engine/block-maker.ts';
import { startOf } from '../engine/block-maker.ts';
import type { Engine } from '../engine/engine.ts';
import type { BlockEnv } from '../protocol/types.ts';
import { type Awaitable, andThen } from '../state/view.ts';
import type { TrieBlock } from './block.ts';
import { BlockBuilder } from './block-builder.ts';
import { type BlockDraft, type BlockPlan, draftBlock } from './block-draft.ts';
import { lead } from './lead-block.ts';

/** A block that has been opened in a maker, which has to be ended. */
export interface BegunBlock {
  readonly draft: BlockDraft;
  readonly maker: BlockMaker;
  readonly builder: BlockBuilder;
}

/**
 * Begins the block after `parent`: fixes its header fields, and writes what the protocol writes at a block's start.
 * @param hashOf hashes of the blocks before the parent
 * @param options.leads whether it begins with a deposit of L1 attributes, on an OP chain
 */
export function beginBlock(
  parent: TrieBlock,
  plan: BlockPlan,
  engine: Engine,
  hashOf: BlockEnv['blockHash'],
  { leads }: { leads: boolean },
): Awaitable<BegunBlock> {
  const draft = draftBlock(parent, plan, engine, hashOf);
  const maker = engine.blockMaker(parent.state, { withStateRoot: true });
  const fail = (error: unknown) => {
    maker.discard();
    throw error;
  };
  try {
    const begun = andThen(maker.open(startOf(draft)), () => {
      const builder = new BlockBuilder(draft, maker);
      return andThen(leads ? lead(builder, draft) : undefined, () => ({ draft, maker, builder }));
    });
    return begun instanceof Promise ? begun.catch(fail) : begun;
  } catch (error) {
    return fail(error);
  }
}
