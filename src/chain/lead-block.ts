import type { Engine } from '../evm/engine.ts';
import { L1_BLOCK } from '../evm/rollup-fees.ts';
import { hasCode } from '../state/account.ts';
import type { Awaitable, StateView } from '../state/view.ts';
import type { BlockBuilder } from './block-builder.ts';
import type { BlockDraft, OpenBlock } from './block-draft.ts';
import { extendBlock } from './extend-block.ts';
import { L1_ATTRIBUTES_GAS, l1AttributesDeposit, nextL1Attributes } from './l1-attributes.ts';

/**
 * Begins a block of an OP chain with its deposit of L1 attributes, where the L1Block contract has code and the block has
 * gas for it.
 * @param open without transactions
 */
export function leadBlock(open: OpenBlock, engine: Engine): Awaitable<OpenBlock> {
  if (!hasLead(open)) return open;
  return extendBlock(open, engine, (builder) => lead(builder, open, open.state)).then((led) => led.open);
}

/** Whether a block may have to begin with {@link lead}. */
export function hasLead({ hardfork, env }: Pick<BlockDraft, 'hardfork' | 'env'>): boolean {
  return hardfork.rollup !== undefined && env.gasLimit >= L1_ATTRIBUTES_GAS;
}

/**
 * Adds the deposit of L1 attributes to a block for which {@link hasLead} is true.
 * @param builder without transactions
 * @param state before the block
 */
export async function lead(
  builder: BlockBuilder,
  { hardfork, env }: Pick<BlockDraft, 'hardfork' | 'env'>,
  state: StateView,
): Promise<void> {
  const contract = await state.getAccount(L1_BLOCK);
  if (!contract || !hasCode(contract)) return;
  // The maker has the contract's slots at hand, since it wrote them in the block before.
  const attributes = await nextL1Attributes(builder.maker ?? state, env.timestamp);
  await builder.add(l1AttributesDeposit(attributes, hardfork.rollup!), { gasCap: false });
}
