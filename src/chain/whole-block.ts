import type { Engine } from '../evm/engine.ts';
import type { BlockEnv } from '../evm/types.ts';
import type { ChainState } from '../state/chain-state.ts';
import { type Awaitable, andThen, type StateWrites } from '../state/view.ts';
import type { Block, TrieBlock } from './block.ts';
import { BlockBuilder } from './block-builder.ts';
import { type BlockPlan, draftBlock } from './block-draft.ts';
import { sealBlock } from './block-seal.ts';
import { canBeWhole, openIn } from './block-start.ts';
import { hasLead, lead } from './lead-block.ts';

/**
 * A block that is opened, filled and sealed in one go inside the engine, which is much faster than an open block that
 * others may look at. Has to be closed.
 */
export class WholeBlock {
  readonly builder: BlockBuilder;
  readonly #parent: TrieBlock;
  readonly #engine: Engine;

  private constructor(builder: BlockBuilder, parent: TrieBlock, engine: Engine) {
    this.builder = builder;
    this.#parent = parent;
    this.#engine = engine;
  }

  /**
   * Opens the block after `parent`.
   * @param hashOf hashes of the blocks before the parent
   * @returns `undefined` when it has to be made by `openBlock` and its kin
   */
  static open(
    parent: TrieBlock,
    plan: BlockPlan,
    engine: Engine,
    hashOf: BlockEnv['blockHash'],
  ): Awaitable<WholeBlock | undefined> {
    const draft = draftBlock(parent, plan, engine, hashOf);
    if (!canBeWhole(draft)) return undefined;
    const maker = engine.blockMaker(parent.state, { withStateRoot: true });
    if (!maker) return undefined;
    const builder = new BlockBuilder(draft, parent.state, engine, maker);
    const open = () =>
      andThen(openIn(maker, draft), (isOpen) => {
        if (!isOpen) {
          maker.discard();
          return undefined;
        }
        const whole = new WholeBlock(builder, parent, engine);
        return hasLead(draft) ? lead(builder, draft, parent.state).then(() => whole) : whole;
      });
    try {
      const opened = open();
      if (!(opened instanceof Promise)) return opened;
      return opened.catch((error) => {
        maker.discard();
        throw error;
      });
    } catch (error) {
      maker.discard();
      throw error;
    }
  }

  /** Seals it. @returns the block with its state, and what was written since the parent's */
  seal(): Awaitable<{ block: Block & { state: ChainState }; writes: StateWrites }> {
    const { builder } = this;
    const { maker } = builder;
    if (!maker) return this.#sealOpen();
    return andThen(builder.sealMade({ strict: false }), (made) => {
      if (!made) return this.#sealOpen();
      return andThen(maker.keep(), ({ state, writes }) => ({
        block: Object.assign(made, { state }),
        writes,
      }));
    });
  }

  /** Frees what is held for it. Sealed or not. */
  close(): void {
    this.builder.maker?.discard();
  }

  #sealOpen(): Awaitable<{ block: Block & { state: ChainState }; writes: StateWrites }> {
    const { builder } = this;
    const writes = builder.state.writes();
    const open = Object.assign(builder.finish(), { state: this.#parent.state.fold(writes) });
    return andThen(sealBlock(open, this.#engine), (block) => ({ block, writes }));
  }
}
