import type { Transaction, TrieBlock } from '../../chain/block.ts';
import { append, BlockBuilder } from '../../chain/block-builder.ts';
import { type BlockPlan, type OpenBlock, openBlock } from '../../chain/block-draft.ts';
import { sealBlock } from '../../chain/block-seal.ts';
import { collectRequests } from '../../chain/requests.ts';
import { DevnetError } from '../../errors.ts';
import type { Engine } from '../../evm/engine.ts';
import { messageOf } from '../../evm/message.ts';
import { Overlay } from '../../state/overlay.ts';
import { fill } from './fill.ts';
import type { ProductionDeps, ProductionOptions } from './production.ts';

/** A block that was built and not taken into the chain. */
export interface BuiltBlock {
  readonly block: TrieBlock;
  /** EIP-7685, each type byte ++ data, empty ones left out; absent before Prague */
  readonly requests: readonly Uint8Array[] | undefined;
}

type Deps = Pick<ProductionDeps, 'chain' | 'engine' | 'mempool' | 'wall' | 'pause'>;

/**
 * Builds a block on any parent. Chain and mempool stay as they are.
 * @param transactions all of which must go in, in this order; those that wait, best first, when absent
 * @throws DevnetError -32000 when a given transaction can't stand in the block
 */
export async function buildAside(
  parent: TrieBlock,
  plan: BlockPlan,
  transactions: readonly Transaction[] | undefined,
  options: ProductionOptions,
  deps: Deps,
): Promise<BuiltBlock> {
  const { chain, engine } = deps;
  const open = await openBlock(parent, plan, engine, (number) => chain.blockHash(number));
  const limits = { ...options, gas: open.env.gasLimit, transactions: options.maxTransactions, quiet: true };
  const filled = transactions
    ? await include(open, transactions, engine, options.gasCap)
    : (await fill(open, limits, deps)).open;
  const sealed = await sealBlock(filled, engine);
  const requests = filled.fork.has(7685)
    ? await collectRequests(filled.receipts, filled.env, new Overlay(filled.state), engine)
    : undefined;
  return { block: { ...sealed, sealed: false }, requests };
}

/**
 * Executes transactions on an open block, all of them, in their order.
 * @param first index of the first one, for messages
 * @throws DevnetError -32000 naming the first that can't stand in it
 */
export async function include(
  open: OpenBlock,
  transactions: readonly Transaction[],
  engine: Engine,
  gasCap: boolean,
  first = 0,
): Promise<OpenBlock> {
  const builder = BlockBuilder.over(open, engine);
  for (const [index, transaction] of transactions.entries()) {
    const message = messageOf(transaction);
    const refuse = (reason: string) =>
      new DevnetError('server', { reason: `failed to include transaction ${first + index}: ${reason}` });
    const room = builder.room(message);
    if (room !== 'fits') throw refuse(room === 'gas' ? 'gas limit reached' : 'blob gas limit reached');
    const outcome = await builder.add(transaction, { gasCap, message });
    if (outcome.kind === 'invalid') throw refuse(outcome.error.message);
  }
  return append(open, builder);
}
