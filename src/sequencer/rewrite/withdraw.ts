import { equalsBytes } from '@ethereumjs/util';
import type { Transaction } from '../../chain/block.ts';
import { DevnetError } from '../../errors.ts';
import { DEPOSIT_TYPE } from '../../evm/deposit-transaction.ts';
import type { Preconfirming } from '../mining/preconfirming.ts';
import type { Production } from '../mining/production.ts';
import { noncesIn } from '../nonces-in.ts';

/** What rewrites blocks that were made. */
export interface Rewriting {
  readonly production: Production;
  /** Takes a transaction that was in a block back into the mempool, as if it had just been sent. */
  readonly admit: (transaction: Transaction) => Promise<void>;
}

/**
 * Takes a pre-confirmed transaction out of the open block, which is begun anew without it (or with another one in its
 * place) and with the rest. Those that can't be included any more go back to the mempool.
 * @throws DevnetError -32000 when it isn't pre-confirmed, or its replacement can't be included
 */
export async function withdraw(
  building: Preconfirming | undefined,
  change: { hash: Uint8Array; replacement?: ((withdrawn: Transaction) => Transaction) | undefined },
  { production, admit }: Rewriting,
): Promise<void> {
  const { chain, mempool, feed } = production.deps;
  const before = building?.view.transactions ?? [];
  const at = before.findIndex(({ hash }) => equalsBytes(hash, change.hash));
  const withdrawn = before[at];
  if (!building || !withdrawn)
    throw new DevnetError('server', { reason: 'the transaction is not pre-confirmed' });
  const instead = change.replacement?.(withdrawn);
  const list = before.toSpliced(at, 1, ...(instead ? [instead] : []));
  const { transactions } = await building.rebuild(chain.latest, list, instead);
  const included = new Set(transactions);
  if (instead && !included.has(instead))
    throw new DevnetError('server', { reason: 'the replacement can not be included' });

  const leftOut = before.filter((transaction) => !included.has(transaction));
  for (const { from, tx } of leftOut.toReversed())
    if ((tx !== withdrawn.tx || !instead) && tx.type !== DEPOSIT_TYPE) mempool.setNonce(from, tx.nonce);
  // What a deposit's nonce was only the state tells.
  if (leftOut.some(({ tx }) => tx.type === DEPOSIT_TYPE))
    mempool.prune(await noncesIn(building.view.state, mempool));
  feed.emit('dropped', {
    transaction: withdrawn,
    reason: 'it was pre-confirmed, and then left out of the block',
  });
  await readmit(
    leftOut.filter((transaction) => transaction !== withdrawn),
    { production, admit },
  );
}

/** Puts transactions back into the mempool, in their order; those that it refuses are dropped. */
export async function readmit(
  transactions: readonly Transaction[],
  { production, admit }: Rewriting,
): Promise<void> {
  for (const transaction of transactions) {
    try {
      await admit(transaction);
    } catch (error) {
      if (!(error instanceof DevnetError)) throw error;
      production.deps.feed.emit('dropped', { transaction, reason: error.message });
    }
  }
}
