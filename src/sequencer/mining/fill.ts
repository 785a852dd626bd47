import type { Transaction } from '../../chain/block.ts';
import type { Added, BlockBuilder } from '../../chain/block-builder.ts';
import { type Conditions, unmetCondition } from '../../chain/conditions.ts';
import { extendBlock, type OpenBlock } from '../../chain/open-block.ts';
import { DataDirError } from '../../chain/store/data-dir-error.ts';
import type { Clock } from '../../clock.ts';
import type { Engine } from '../../engine/engine.ts';
import { DevnetError } from '../../errors.ts';
import type { Order, Selection } from '../../mempool/selection.ts';
import type { StateWrites } from '../../state/view.ts';
import { type CurrentTask, isOutsideFailure } from '../current-task.ts';

/** Execution lets other work run after this time, in milliseconds. */
const SLICE_MS = 4;

export interface FillLimits {
  readonly order: Order;
  /** Filling stops once the included transactions have used this much gas, so this limit never excludes the first one. */
  readonly gas: bigint;
  /** most transactions to include */
  readonly transactions: number;
  /** whether EIP-7825's cap on the gas of one transaction applies */
  readonly gasCap: boolean;
  /** For previews: no console.log output, which is printed when the block itself is made, and no progress reports. */
  readonly quiet?: boolean;
}

/** Lets other work run. @param done how many transactions were included so far; `undefined` for a quiet fill */
export type Pause = (done: number | undefined) => Promise<void>;

/** Result of filling a block. */
export interface FillOutcome {
  readonly transactions: readonly Transaction[];
  /** the state changes of `transactions` */
  readonly writes: StateWrites;
  /** transactions that can't be included any more, in any block */
  readonly dropped: readonly { readonly transaction: Transaction; readonly error: DevnetError }[];
}

export interface FilledOpenBlock extends FillOutcome {
  readonly open: OpenBlock;
}

/** A source of transactions: the mempool, or a list. */
export interface Source {
  /** whether the maximum number of transactions per block doesn't apply */
  readonly offersAll?: boolean;
  select(options: {
    baseFee: bigint;
    order: Order;
    blobBaseFee?: bigint;
  }): Pick<Selection, 'next' | 'skipSender'>;
}

/** Offers the given transactions in their order. When one is skipped, so are its sender's later ones. */
export function fromList(transactions: readonly Transaction[]): Source {
  return {
    offersAll: true,
    select: () => {
      const skipped = new Set<string>();
      const left = transactions.values();
      let sender: string | undefined;
      return {
        next: () => {
          let next = left.next().value;
          while (next && skipped.has(next.from.toString())) next = left.next().value;
          sender = next?.from.toString();
          return next;
        },
        skipSender: () => {
          if (sender) skipped.add(sender);
        },
      };
    },
  };
}

/**
 * Ensures that no transaction that was in a block before is lost because the forked node didn't answer.
 * @throws the first error of that kind for which a transaction was dropped
 */
export function assertAnswered({ dropped }: FillOutcome): void {
  const refused = dropped.find(({ error }) => isOutsideFailure(error));
  if (refused) throw refused.error;
}

interface FillDeps {
  readonly wall: Clock;
  readonly current: Pick<CurrentTask, 'assertNotLeftOut' | 'leftOut'>;
  readonly pause: Pause;
  /** called with the number of included transactions: 0 before the first is selected, `undefined` at the end */
  readonly progress?: (done: number | undefined) => Promise<void> | undefined;
}

/** Executes the source's transactions on top of the open block, see {@link fillBlock}. */
export async function fill(
  open: OpenBlock,
  limits: FillLimits,
  source: Source,
  deps: FillDeps & { readonly engine: Engine },
): Promise<FilledOpenBlock> {
  let transactions: readonly Transaction[] = [];
  const extended = await extendBlock(open, deps.engine, (builder) => {
    ({ transactions } = builder);
    return fillBlock(builder, limits, source, deps);
  });
  return { open: extended.open, writes: extended.writes, transactions, dropped: extended.result };
}

/**
 * Executes the source's transactions on the builder's block, best first. Doesn't change the mempool: included transactions are
 * removed when the block is shown. A transaction that needs more gas than the block has left stays for the next block.
 */
export async function fillBlock(
  builder: BlockBuilder,
  limits: FillLimits,
  source: Source,
  deps: FillDeps,
): Promise<FillOutcome['dropped']> {
  const { env, transactions, gasUsed: gasBefore } = builder;
  // A block of an OP chain already contains its L1 attributes deposit.
  const before = transactions.length;
  const progress = limits.quiet ? undefined : deps.progress;
  // A quiet block is made concurrently with the current task and isn't part of it.
  const current = limits.quiet ? undefined : deps.current;
  const dropped: { transaction: Transaction; error: DevnetError }[] = [];
  let stretchStart = deps.wall.now();

  // Only a replay returns promises here; otherwise filling continues synchronously.
  const begun = progress?.(0);
  if (begun) await begun;
  const { baseFeePerGas: baseFee = 0n, blobBaseFee = 0n } = env;
  const selection = source.select({ baseFee, order: limits.order, blobBaseFee });
  while (transactions.length - before < limits.transactions && builder.gasUsed - gasBefore < limits.gas) {
    const transaction = selection.next();
    if (!transaction) break;
    if (builder.room(transaction) !== 'fits') {
      selection.skipSender();
      continue;
    }
    let outcome: Added;
    try {
      current?.assertNotLeftOut(transaction.hash);
      if (transaction.conditions) await checkConditions(transaction.conditions, builder);
      const added = builder.add(transaction, { gasCap: limits.gasCap, console: !limits.quiet });
      outcome = added instanceof Promise ? await added : added;
    } catch (error) {
      // The store is unreadable: the transaction isn't at fault.
      if (error instanceof DataDirError) throw error;
      outcome = { kind: 'invalid', error: error instanceof DevnetError ? error : engineFailed(error) };
    }
    if (outcome.kind === 'invalid') {
      // In a later block the base fee may be lower, or the missing nonce may be there. Any other error is final.
      const mayFitLater = outcome.error.kind === 'feeCapTooLow' || outcome.error.kind === 'nonceTooHigh';
      if (!mayFitLater) dropped.push({ transaction, error: outcome.error });
      current?.leftOut(transaction.hash, outcome.error);
      selection.skipSender();
      continue;
    }
    const reached = progress?.(transactions.length - before);
    if (reached) await reached;
    if (deps.wall.now() - stretchStart >= SLICE_MS) {
      await deps.pause(limits.quiet ? undefined : transactions.length - before);
      stretchStart = deps.wall.now();
    }
  }
  const ended = progress?.(undefined);
  if (ended) await ended;
  return dropped;
}

/** @throws DevnetError `conditionUnmet`: the transaction is dropped and not tried again, as op-geth does */
async function checkConditions(conditions: Conditions, builder: BlockBuilder): Promise<void> {
  const { env, state } = builder;
  const unmet = await unmetCondition(conditions, env, state, (address) => builder.wroteStorage(address));
  if (unmet) throw new DevnetError('conditionUnmet', { reason: unmet });
}

/** An internal error of the EVM: the chain continues without the transaction that caused it. */
function engineFailed(error: unknown): DevnetError {
  const reason = `the engine failed: ${error instanceof Error ? error.message : String(error)}`;
  return new DevnetError('transactionRejected', { reason });
}
