import { type BlockMaker, makeIn } from '../engine/block-maker.ts';
import type { ChainState } from '../state/chain-state.ts';
import { type Awaitable, andThen, type StateWrites } from '../state/view.ts';
import { beginBlock } from './begin-block.ts';
import type { Block } from './block.ts';
import type { BlockBuilder, SealedBlock } from './block-builder.ts';

/** A block that is opened, filled and sealed in one go, which costs less than an open block that others may look at. */
export class WholeBlock {
  readonly builder: BlockBuilder;
  readonly #maker: BlockMaker;

  private constructor(builder: BlockBuilder, maker: BlockMaker) {
    this.builder = builder;
    this.#maker = maker;
  }

  /** Opens the block after a parent, see {@link beginBlock}. It has to be closed. */
  static open(...after: Parameters<typeof beginBlock>): Awaitable<WholeBlock> {
    return andThen(beginBlock(...after), ({ builder, maker }) => new WholeBlock(builder, maker));
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

  /** Lets `use` fill and seal it, and closes it then. */
  closing<T>(use: () => Awaitable<T>): Awaitable<T> {
    return makeIn(this.#maker, use);
  }

  /** Frees what is held for it. Sealed or not. */
  close(): void {
    this.#maker.discard();
  }
}
