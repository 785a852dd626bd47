import {
  L1_ATTRIBUTES_GAS,
  l1AttributesDeposit,
  nextL1Attributes,
} from '../protocol/op-stack/l1-attributes.ts';
import { L1_BLOCK } from '../protocol/op-stack/rollup-fees.ts';
import { hasCode } from '../state/account.ts';
import { type Awaitable, andThen } from '../state/view.ts';
import type { BlockBuilder } from './block-builder.ts';
import type { BlockDraft } from './block-draft.ts';

/**
 * Adds the L1 attributes deposit at the beginning of an OP chain's block, if the L1Block contract has code and the block has
 * enough gas for the deposit.
 * @param builder must have no transactions yet
 */
export function addL1Attributes(
  builder: BlockBuilder,
  { hardfork, env }: Pick<BlockDraft, 'hardfork' | 'env'>,
): Awaitable<void> {
  const { rollup } = hardfork;
  if (rollup === undefined || env.gasLimit < L1_ATTRIBUTES_GAS) return;
  const { state } = builder;
  return andThen(state.getAccount(L1_BLOCK), async (contract) => {
    if (!contract || !hasCode(contract)) return;
    const attributes = await nextL1Attributes(state, env.timestamp);
    await builder.add(l1AttributesDeposit(attributes, rollup), { gasCap: false });
  });
}
