import type { BlockMaker } from '../evm/block-maker.ts';
import type { Engine } from '../evm/engine.ts';
import type { BlockEnv } from '../evm/types.ts';
import type { ChainState } from '../state/chain-state.ts';
import { type Awaitable, andThen, type StateWrites } from '../state/view.ts';
import type { Block, TrieBlock } from './block.ts';
import { BlockBuilder, type SealedBlock } from './block-builder.ts';
import { type BlockPlan, draftBlock, startOf } from './block-draft.ts';
import { lead } from './lead-block.ts';

/** A block that is opened, filled and sealed in one go, which costs less than an open block that others may look at. */
export class WholeBlock {
  readonly builder: BlockBuilder;
  readonly #maker: BlockMaker;

  private constructor(builder: BlockBuilder, maker: BlockMaker) {
    this.builder = builder;
    this.#maker = maker;
  }

  /**
   * Opens the block after `parent`. It has to be closed.
   * @param hashOf hashes of the blocks before the parent
   * @param options.leads whether it begins with a deposit of L1 attributes, on an OP chain
   */
  static open(
    parent: TrieBlock,
    plan: BlockPlan,
    engine: Engine,
    hashOf: BlockEnv['blockHash'],
    { leads }: { leads: boolean },
  ): Awaitable<WholeBlock> {
    const draft = draftBlock(parent, plan, engine, hashOf);
    const maker = engine.blockMaker(parent.state, { withStateRoot: true });
    const fail = (error: unknown) => {
      maker.discard();
      throw error;
    };
    try {
      const opened = andThen(maker.open(startOf(draft)), () => {
        const builder = new BlockBuilder(draft, maker);
        return andThen(leads ? lead(builder, draft) : undefined, () => new WholeBlock(builder, maker));
      });
      return opened instanceof Promise ? opened.catch(fail) : opened;
    } catch (error) {
      return fail(error);
    }
  }

  /**
   * Seals it.
   * @param options.strict see {@link BlockFinish.strict}
   * @returns the block with its state, and what was written since the parent's
   */
  seal(options: {
    strict: boolean;
  }): Awaitable<
    Pick<SealedBlock, 'requests'> & { block: Block & { state: ChainState }; writes: StateWrites }
  > {
    return andThen(this.builder.seal(options), ({ block, requests }) =>
      andThen(this.#maker.keep(), ({ state, writes }) => ({
        block: Object.assign(block, { state }),
        writes,
        requests,
      })),
    );
  }

  /** Frees what is held for it. Sealed or not. */
  close(): void {
    this.#maker.discard();
  }
}
