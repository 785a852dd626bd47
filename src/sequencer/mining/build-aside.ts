import type { Transaction, TrieBlock } from '../../chain/block.ts';
import type { BlockPlan } from '../../chain/block-draft.ts';
import type { BlockAssembler } from './assembler.ts';

/** A block that was built without adding it to the chain. */
export interface BuiltBlock {
  readonly block: TrieBlock;
  /** EIP-7685 requests, each its type byte followed by its data, empty ones left out; absent before Prague */
  readonly requests: readonly Uint8Array[] | undefined;
}

/**
 * Builds a block on any parent. Chain and mempool stay as they are.
 * @param transactions must all be included, in this order; when absent, the mempool's best transactions are used
 * @throws DevnetError -32000 when a given transaction can't be included
 */
export async function buildAside(
  parent: TrieBlock,
  plan: BlockPlan,
  transactions: readonly Transaction[] | undefined,
  { assembler }: { assembler: BlockAssembler },
): Promise<BuiltBlock> {
  if (transactions) return assembler.makeOf(transactions, parent, plan, { leads: true, strict: true });
  const limits = { quiet: true, strict: true };
  const { block, requests } = await assembler.make(parent, plan, limits);
  return { block: block!, requests };
}
