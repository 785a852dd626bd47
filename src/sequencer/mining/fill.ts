import type { Transaction } from '../../chain/block.ts';
import { append, BlockBuilder } from '../../chain/block-builder.ts';
import type { OpenBlock } from '../../chain/block-draft.ts';
import { DataDirError } from '../../chain/store/data-dir-error.ts';
import type { Clock } from '../../clock.ts';
import { DevnetError } from '../../errors.ts';
import type { Engine } from '../../evm/engine.ts';
import { messageOf } from '../../evm/message.ts';
import type { Outcome } from '../../evm/types.ts';
import type { Order, Selection } from '../../mempool/selection.ts';
import type { StateWrites } from '../../state/view.ts';

/** Longest stretch of execution without letting other work run, in milliseconds. */
const STRETCH = 4;

export interface FillLimits {
  readonly order: Order;
  /** Takes no further transaction once those taken used this much gas; the first one always goes in. */
  readonly gas: bigint;
  readonly transactions: number;
  /** EIP-7825 */
  readonly gasCap: boolean;
  /** A block that is only tried: what its transactions print with console.log is printed when they are included. */
  readonly quiet?: boolean;
}

/**
 * Lets other work run.
 * @param done how many transactions were taken so far; `undefined` for a block that is only tried
 */
export type Pause = (done: number | undefined) => Promise<void>;

export interface Filled {
  readonly open: OpenBlock;
  readonly transactions: readonly Transaction[];
  /** what they wrote */
  readonly writes: StateWrites;
  /** those that can't be included any more */
  readonly dropped: readonly { readonly transaction: Transaction; readonly error: DevnetError }[];
}

/** Where transactions come from: the mempool, or a list. */
export interface Source {
  select(options: {
    baseFee: bigint;
    order: Order;
    blobBaseFee?: bigint;
  }): Pick<Selection, 'next' | 'skipSender'>;
}

/** Given transactions in their order. When one is left out, its sender's later ones are too. */
export function fromList(transactions: readonly Transaction[]): Source {
  const skipped = new Set<string>();
  const left = [...transactions];
  let sender: string | undefined;
  return {
    select: () => ({
      next: () => {
        let next = left.shift();
        while (next && skipped.has(next.from.toString())) next = left.shift();
        sender = next?.from.toString();
        return next;
      },
      skipSender: () => {
        if (sender) skipped.add(sender);
      },
    }),
  };
}

/**
 * Takes waiting transactions, best first, and executes them on top of the open block. The mempool stays as it is: what
 * was included leaves it when it is published. What doesn't fit the gas that is left waits for the next block.
 */
export async function fill(
  open: OpenBlock,
  limits: FillLimits,
  deps: {
    engine: Engine;
    source: Source;
    wall: Clock;
    pause: Pause;
    /** told how many transactions were taken, 0 before any is chosen, and with `undefined` that no more are */
    progress?: (done: number | undefined) => Promise<void> | undefined;
  },
): Promise<Filled> {
  const { env } = open;
  const progress = limits.quiet ? undefined : deps.progress;
  const builder = BlockBuilder.over(open, deps.engine);
  const { transactions } = builder;
  const dropped: { transaction: Transaction; error: DevnetError }[] = [];
  let stretchStart = deps.wall.now();

  await progress?.(0);
  const selection = deps.source.select({
    baseFee: env.baseFeePerGas ?? 0n,
    order: limits.order,
    ...(env.blobBaseFee !== undefined && { blobBaseFee: env.blobBaseFee }),
  });
  while (transactions.length < limits.transactions && builder.gasUsed - open.gasUsed < limits.gas) {
    const transaction = selection.next();
    if (!transaction) break;
    const message = messageOf(transaction);
    if (builder.room(message) !== 'fits') {
      selection.skipSender();
      continue;
    }
    let outcome: Outcome;
    try {
      outcome = await builder.add(transaction, { gasCap: limits.gasCap, console: !limits.quiet, message });
    } catch (error) {
      // A store that can't be read is nobody's transaction's fault.
      if (error instanceof DataDirError) throw error;
      outcome = { kind: 'invalid', error: error instanceof DevnetError ? error : engineFailed(error) };
    }
    if (outcome.kind === 'invalid') {
      // Too dear now, or waiting for a nonce: it may fit a later block. Anything else never will.
      const waits = outcome.error.name === 'feeCapTooLow' || outcome.error.name === 'nonceTooHigh';
      if (!waits) dropped.push({ transaction, error: outcome.error });
      selection.skipSender();
      continue;
    }
    await progress?.(transactions.length);
    if (deps.wall.now() - stretchStart >= STRETCH) {
      await deps.pause(limits.quiet ? undefined : transactions.length);
      stretchStart = deps.wall.now();
    }
  }
  await progress?.(undefined);
  return { open: append(open, builder), transactions, writes: builder.state.writes(), dropped };
}

/** An error of the engine's own: the chain goes on without the transaction that met it. */
function engineFailed(error: unknown): DevnetError {
  const reason = `the engine failed: ${error instanceof Error ? error.message : String(error)}`;
  return new DevnetError('transactionRejected', { reason });
}
