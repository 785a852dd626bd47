import type { Engine } from '../engine/engine.ts';
import { startOf } from '../engine/workspace.ts';
import type { ChainState } from '../state/chain-state.ts';
import { type Awaitable, andThen, type StateWrites } from '../state/view.ts';
import { NO_WRITES } from '../state/writes.ts';
import type { Block, BlockView } from './block.ts';
import { BlockBuilder } from './block-builder.ts';
import type { BlockDraft } from './block-draft.ts';

/** A block that others may look at while it is being built. Immutable. */
export interface OpenBlock extends BlockDraft {
  /** after the transactions, without what is written when the block is sealed: withdrawals, requests, rewards */
  readonly state: ChainState;
}

/** An open block, and what was added to it. */
export interface Extended<T> {
  /** the same block when nothing was added */
  readonly open: OpenBlock;
  /** what the added transactions wrote */
  readonly writes: StateWrites;
  /** of the function that added them */
  readonly result: T;
}

/** Opens the block after a parent, see {@link BlockBuilder.begin}. */
export function openBlock(...after: Parameters<typeof BlockBuilder.begin>): Awaitable<OpenBlock> {
  return andThen(BlockBuilder.begin(...after), (builder) =>
    builder.closing(() => andThen(builder.keepOpen(), ({ open }) => open)),
  );
}

/** Adds transactions to an open block, which stays as it is. @param add adds them to a builder */
export function extendBlock<T>(
  open: OpenBlock,
  engine: Engine,
  add: (builder: BlockBuilder) => Awaitable<T>,
): Awaitable<Extended<T>> {
  return goOn(open, engine, (builder) =>
    andThen(add(builder), (result) => {
      if (builder.transactions.length === 0) return { open, writes: NO_WRITES, result };
      return andThen(builder.keepOpen(), (kept) => ({ ...kept, result }));
    }),
  );
}

/** Seals an open block. It stays as it is, and can still be extended. */
export function sealBlock(
  open: OpenBlock,
  engine: Engine,
): Awaitable<Block & Pick<BlockView, 'accesses'> & { state: ChainState }> {
  return goOn(open, engine, (builder) =>
    andThen(builder.sealAndKeep({ strict: false }), ({ block }) =>
      Object.assign(block, { accesses: open.accesses }),
    ),
  );
}

/** Folds a dev write (`anvil_setBalance` and the like) into an open block. */
export function patchBlock(open: OpenBlock, writes: StateWrites): OpenBlock {
  return { ...open, state: open.state.fold(writes) };
}

/** Lets `use` go on with an open block. */
function goOn<T>(
  open: OpenBlock,
  engine: Engine,
  use: (builder: BlockBuilder) => Awaitable<T>,
): Awaitable<T> {
  const workspace = engine.workspace(open.state, { withStateRoot: true });
  const builder = new BlockBuilder(open, workspace);
  return builder.closing(() => andThen(workspace.open(startOf(open), open), () => use(builder)));
}
