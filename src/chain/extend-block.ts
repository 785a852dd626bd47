import type { Engine } from '../evm/engine.ts';
import type { ChainState } from '../state/chain-state.ts';
import type { StateWrites } from '../state/view.ts';
import { NO_WRITES } from '../state/writes.ts';
import type { StoredItems } from './block.ts';
import { BlockBuilder } from './block-builder.ts';
import type { OpenBlock } from './block-draft.ts';
import { canBeWhole, openIn } from './block-start.ts';
import { receiptItems, transactionItems } from './store/block-codec.ts';

/** An open block, and what was added to it. */
export interface Extended<T> {
  /** the same block when nothing was added */
  readonly open: OpenBlock;
  /** what the added transactions wrote */
  readonly writes: StateWrites;
  /** of the function that added them */
  readonly result: T;
}

/**
 * Adds transactions to an open block: inside the engine where it can, otherwise one message at a time on an overlay. The given block
 * stays as it is.
 * @param add adds them to a builder. Called once more, with a new builder, when the engine has failed
 */
export async function extendBlock<T>(
  open: OpenBlock,
  engine: Engine,
  add: (builder: BlockBuilder) => Promise<T>,
): Promise<Extended<T>> {
  const maker = canBeWhole(open) ? engine.blockMaker(open.state, { withStateRoot: true }) : undefined;
  if (maker) {
    try {
      if (await openIn(maker, open, true)) {
        const builder = new BlockBuilder(open, open.state, engine, maker);
        const result = await add(builder);
        if (!maker.isLost) return { ...(await extended(open, builder)), result };
      }
    } catch (error) {
      if (!maker.isLost) throw error;
    } finally {
      // Does nothing after `keep`.
      maker.discard();
    }
  }
  const builder = new BlockBuilder(open, open.state, engine);
  const result = await add(builder);
  return { ...(await extended(open, builder)), result };
}

async function extended(open: OpenBlock, builder: BlockBuilder): Promise<Omit<Extended<unknown>, 'result'>> {
  const { maker, transactions } = builder;
  if (transactions.length === 0) return { open, writes: NO_WRITES };
  const { state, writes } = maker ? await maker.keep() : folded(open, builder.state.writes());
  return {
    open: Object.assign(builder.finish(), { state, storedItems: storedItemsOf(open, builder) }),
    writes,
  };
}

function folded({ state }: OpenBlock, writes: StateWrites): { state: ChainState; writes: StateWrites } {
  return { state: state.fold(writes), writes };
}

function storedItemsOf(
  { storedItems, transactions }: OpenBlock,
  builder: BlockBuilder,
): StoredItems | undefined {
  // The store takes the pieces for the whole block, so they are of all its transactions or there are none.
  if (!storedItems && transactions.length > 0) return undefined;
  return {
    transactions: [...(storedItems?.transactions ?? []), transactionItems(builder.transactions)],
    receipts: [...(storedItems?.receipts ?? []), receiptItems(builder.receipts)],
  };
}
