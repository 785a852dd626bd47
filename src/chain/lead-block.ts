import type { Engine } from '../evm/engine.ts';
import type { Rollup } from '../evm/hardfork.ts';
import { L1_BLOCK } from '../evm/rollup-fees.ts';
import { hasCode } from '../state/account.ts';
import type { Awaitable } from '../state/view.ts';
import { append, BlockBuilder } from './block-builder.ts';
import type { OpenBlock } from './block-draft.ts';
import { L1_ATTRIBUTES_GAS, l1AttributesDeposit, nextL1Attributes } from './l1-attributes.ts';

/**
 * Begins a block of an OP chain with its deposit of L1 attributes, where the L1Block contract has code and the block has
 * gas for it.
 * @param open without transactions
 */
export function leadBlock(open: OpenBlock, engine: Engine): Awaitable<OpenBlock> {
  const { rollup } = open.hardfork;
  return rollup === undefined || open.env.gasLimit < L1_ATTRIBUTES_GAS ? open : lead(open, rollup, engine);
}

async function lead(open: OpenBlock, rollup: Rollup, engine: Engine): Promise<OpenBlock> {
  const { state, env } = open;
  const contract = await state.getAccount(L1_BLOCK);
  if (!contract || !hasCode(contract)) return open;
  const builder = BlockBuilder.over(open, engine);
  const attributes = await nextL1Attributes(state, env.timestamp);
  await builder.add(l1AttributesDeposit(attributes, rollup), { gasCap: false });
  return append(open, builder);
}
