import type { Engine } from '../engine/engine.ts';
import { startOf } from '../engine/workspace.ts';
import type { ChainState } from '../state/chain-state.ts';
import { type Awaitable, andThen, type StateWrites } from '../state/view.ts';
import { NO_WRITES } from '../state/writes.ts';
import type { Block, BlockView } from './block.ts';
import { BlockBuilder } from './block-builder.ts';
import type { BlockDraft } from './block-draft.ts';

/** A block that readers may see while it is being built. Immutable. */
export interface OpenBlock extends BlockDraft {
  /** the state after the transactions, without the writes of sealing: withdrawals, requests, rewards */
  readonly state: ChainState;
}

/** An extended open block, with the result of the extension. */
export interface Extended<T> {
  /** the same block when nothing was added */
  readonly open: OpenBlock;
  /** the state changes of the added transactions */
  readonly writes: StateWrites;
  /** result of the function that added the transactions */
  readonly result: T;
}

/** Opens the block after a parent, see {@link BlockBuilder.begin}. */
export function openBlock(...after: Parameters<typeof BlockBuilder.begin>): Awaitable<OpenBlock> {
  return andThen(BlockBuilder.begin(...after), (builder) =>
    builder.closing(() => andThen(builder.keepOpen(), ({ open }) => open)),
  );
}

/** Returns an open block with transactions added; doesn't change `open`. @param add adds them to a builder */
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

/** Seals an open block. Doesn't change `open`, which can still be extended. */
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

/** Folds a dev write (such as `anvil_setBalance`) into an open block. */
export function patchBlock(open: OpenBlock, writes: StateWrites): OpenBlock {
  return { ...open, state: open.state.fold(writes) };
}

/** Calls `use` with a builder that continues an open block. */
function goOn<T>(
  open: OpenBlock,
  engine: Engine,
  use: (builder: BlockBuilder) => Awaitable<T>,
): Awaitable<T> {
  const workspace = engine.workspace(open.state, { withStateRoot: true });
  const builder = new BlockBuilder(open, workspace);
  return builder.closing(() => andThen(workspace.open(startOf(open), open), () => use(builder)));
}
