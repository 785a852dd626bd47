import { type BlockMaker, makeIn, startOf } from '../engine/block-maker.ts';
import type { Engine } from '../engine/engine.ts';
import type { ChainState } from '../state/chain-state.ts';
import { type Awaitable, andThen, type StateWrites } from '../state/view.ts';
import { NO_WRITES } from '../state/writes.ts';
import { beginBlock } from './begin-block.ts';
import type { Block, BlockView, StoredItems } from './block.ts';
import { BlockBuilder } from './block-builder.ts';
import { type BlockDraft, finishOf } from './block-draft.ts';
import { assembleBlock } from './block-seal.ts';
import { receiptItems, transactionItems } from './store/block-codec.ts';

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

/** Opens the block after a parent, see {@link beginBlock}. */
export function openBlock(...after: Parameters<typeof beginBlock>): Awaitable<OpenBlock> {
  return andThen(beginBlock(...after), ({ draft, maker, builder }) =>
    makeIn(maker, () => andThen(keep(draft, builder, maker), ({ open }) => open)),
  );
}

/** Adds transactions to an open block, which stays as it is. @param add adds them to a builder */
export function extendBlock<T>(
  open: OpenBlock,
  engine: Engine,
  add: (builder: BlockBuilder) => Awaitable<T>,
): Awaitable<Extended<T>> {
  return goOn(open, engine, (maker) => {
    const builder = new BlockBuilder(open, maker);
    return andThen(add(builder), (result) => {
      if (builder.transactions.length === 0) return { open, writes: NO_WRITES, result };
      return andThen(keep(open, builder, maker), (kept) => ({ ...kept, result }));
    });
  });
}

/** Seals an open block. It stays as it is, and can still be extended. */
export function sealBlock(
  open: OpenBlock,
  engine: Engine,
): Awaitable<Block & Pick<BlockView, 'accesses'> & { state: ChainState }> {
  return goOn(open, engine, (maker) =>
    andThen(maker.seal(finishOf(open, { strict: false })), (made) =>
      andThen(maker.keep(), ({ state }) =>
        Object.assign(assembleBlock(open, made), { state, accesses: open.accesses }),
      ),
    ),
  );
}

/** Folds a dev write (`anvil_setBalance` and the like) into an open block. */
export function patchBlock(open: OpenBlock, writes: StateWrites): OpenBlock {
  return { ...open, state: open.state.fold(writes) };
}

function goOn<T>(open: OpenBlock, engine: Engine, use: (maker: BlockMaker) => Awaitable<T>): Awaitable<T> {
  const maker = engine.blockMaker(open.state, { withStateRoot: true });
  return makeIn(maker, () => andThen(maker.open(startOf(open), open), () => use(maker)));
}

/** @param before the block before what the builder added */
function keep(
  before: BlockDraft,
  builder: BlockBuilder,
  maker: BlockMaker,
): Awaitable<Omit<Extended<unknown>, 'result'>> {
  return andThen(maker.keep(), ({ state, writes }) => ({
    open: Object.assign(builder.finish(), { state, storedItems: storedItemsOf(before, builder) }),
    writes,
  }));
}

function storedItemsOf(
  { storedItems, transactions }: BlockDraft,
  builder: BlockBuilder,
): StoredItems | undefined {
  if (builder.transactions.length === 0) return storedItems;
  // The store takes the pieces for the whole block, so they are of all its transactions or there are none.
  if (!storedItems && transactions.length > 0) return undefined;
  return {
    transactions: [...(storedItems?.transactions ?? []), transactionItems(builder.transactions)],
    receipts: [...(storedItems?.receipts ?? []), ...receiptItems(builder.receipts)],
  };
}
