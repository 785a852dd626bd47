import type { Transaction, TrieBlock } from '../../chain/block.ts';
import type { BlockPlan } from '../../chain/block-draft.ts';
import type { Assembler } from './assembler.ts';

/**
 * Builds a block on any parent, without changing chain and mempool.
 * @param transactions must all be included, in this order; when absent, the mempool's best transactions are used
 * @throws DevnetError -32000 when a given transaction can't be included
 */
export async function buildAside(
  parent: TrieBlock,
  plan: BlockPlan,
  transactions: readonly Transaction[] | undefined,
  { assembler }: { assembler: Assembler },
): Promise<TrieBlock> {
  if (transactions)
    return assembler.makeOf(transactions, parent, plan, { withL1Attributes: true, strict: true });
  const limits = { quiet: true, strict: true };
  const { block } = await assembler.make(parent, plan, limits);
  return block!;
}
