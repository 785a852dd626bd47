import type { Receipt, Transaction } from '../chain/block.ts';
import { bloomOf } from '../chain/bloom.ts';
import { append, type OpenBlock } from '../chain/open-block.ts';
import type { Clock } from '../clock.ts';
import type { DevnetError } from '../errors.ts';
import { type Engine, TRANSACTION_RULES } from '../evm/engine.ts';
import { messageOf } from '../evm/message.ts';
import type { Executed, Rules } from '../evm/types.ts';
import type { Mempool } from '../mempool/mempool.ts';
import type { Order } from '../mempool/selection.ts';
import { Overlay } from '../state/overlay.ts';

/** Longest stretch of execution without letting other work run, in milliseconds. */
const STRETCH = 4;

export interface FillLimits {
  readonly order: Order;
  /** Takes no further transaction once those taken used this much gas; the first one always goes in. */
  readonly gas: bigint;
  readonly transactions: number;
  /** Takes these, in this order, instead of what waits. */
  readonly list?: readonly Transaction[];
  /** EIP-7825 */
  readonly gasCap: boolean;
}

export interface Filled {
  readonly open: OpenBlock;
  readonly transactions: readonly Transaction[];
  /** those that can't be included any more */
  readonly dropped: readonly { readonly transaction: Transaction; readonly error: DevnetError }[];
}

/**
 * Takes waiting transactions, best first, and executes them on top of the open block. The mempool stays as it is: what
 * was included leaves it when it is published. What doesn't fit the gas that is left waits for the next block.
 */
export async function fill(
  open: OpenBlock,
  limits: FillLimits,
  deps: { engine: Engine; mempool: Mempool; wall: Clock; pause: () => Promise<void> },
): Promise<Filled> {
  const { env, fork } = open;
  const state = new Overlay(open.state);
  const transactions: Transaction[] = [];
  const receipts: Receipt[] = [];
  const dropped: { transaction: Transaction; error: DevnetError }[] = [];
  let gasUsed = open.gasUsed;
  let blobGasUsed = open.blobGasUsed;
  let stretchStart = deps.wall.now();

  const selection = limits.list
    ? inOrder(limits.list)
    : deps.mempool.select({
        baseFee: env.baseFeePerGas ?? 0n,
        order: limits.order,
        ...(env.blobBaseFee !== undefined && { blobBaseFee: env.blobBaseFee }),
      });
  while (transactions.length < limits.transactions && gasUsed - open.gasUsed < limits.gas) {
    const transaction = selection.next();
    if (!transaction) break;
    const message = messageOf(transaction.tx, transaction.from);
    const blobGas =
      BigInt(message.blobVersionedHashes?.length ?? 0) * (fork.blobs ? fork.param('blobGasPerBlob') : 0n);
    if (message.gasLimit > env.gasLimit - gasUsed || (fork.blobs && blobGasUsed + blobGas > fork.blobs.max)) {
      selection.skipSender();
      continue;
    }
    const outcome = await deps.engine.execute(message, env, state, rulesFor(transaction, limits));
    if (outcome.kind === 'invalid') {
      // Too dear now, or waiting for a nonce: it may fit a later block. Anything else never will.
      const waits = outcome.error.name === 'feeCapTooLow' || outcome.error.name === 'nonceTooHigh';
      if (!waits) dropped.push({ transaction, error: outcome.error });
      selection.skipSender();
      continue;
    }
    gasUsed += outcome.gasUsed;
    blobGasUsed += outcome.blobGasUsed;
    transactions.push(transaction);
    receipts.push(receiptOf(transaction, outcome, gasUsed, open, state));

    if (deps.wall.now() - stretchStart >= STRETCH) {
      await deps.pause();
      stretchStart = deps.wall.now();
    }
  }
  const filled = transactions.length > 0 ? append(open, transactions, receipts, state.writes()) : open;
  return { open: filled, transactions, dropped };
}

/** A list as a selection. A sender that is skipped stays out by its nonces. */
function inOrder(list: readonly Transaction[]): { next(): Transaction | undefined; skipSender(): void } {
  const rest = list[Symbol.iterator]();
  return { next: () => rest.next().value ?? undefined, skipSender: () => {} };
}

function rulesFor({ impersonated }: Transaction, { gasCap }: FillLimits): Rules {
  return { ...TRANSACTION_RULES, gasCap, sender: !impersonated };
}

function receiptOf(
  { tx }: Transaction,
  outcome: Executed,
  cumulativeGasUsed: bigint,
  { fork, env, state }: OpenBlock,
  written: Overlay,
): Receipt {
  return {
    type: tx.type,
    // EIP-658 put the status where the state root had been.
    ...(fork.atLeast('byzantium')
      ? { status: outcome.success }
      : { stateRoot: state.fold(written.writes()).root }),
    gasUsed: outcome.gasUsed,
    cumulativeGasUsed,
    logsBloom: bloomOf(outcome.logs),
    logs: outcome.logs,
    ...(outcome.createdAddress && { contractAddress: outcome.createdAddress }),
    effectiveGasPrice: outcome.effectiveGasPrice,
    ...(tx.type === 3 && { blobGasUsed: outcome.blobGasUsed, blobGasPrice: env.blobBaseFee ?? 0n }),
  };
}
