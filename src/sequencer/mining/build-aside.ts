import type { Transaction, TrieBlock } from '../../chain/block.ts';
import type { BlockPlan } from '../../chain/block-draft.ts';
import { collectRequests } from '../../chain/requests.ts';
import type { Engine } from '../../evm/engine.ts';
import { Overlay } from '../../state/overlay.ts';
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
  { assembler, engine }: { assembler: BlockAssembler; engine: Engine },
): Promise<BuiltBlock> {
  const open = await assembler.openAs(parent, plan);
  const limits = { gas: open.env.gasLimit, transactions: Number.POSITIVE_INFINITY, quiet: true };
  const filled = transactions
    ? await assembler.include(open, transactions)
    : (await assembler.fill(open, limits)).open;
  const requests = filled.hardfork.has(7685)
    ? await collectRequests(filled.receipts, filled.env, new Overlay(filled.state), engine)
    : undefined;
  return { block: await assembler.view(filled), requests };
}
