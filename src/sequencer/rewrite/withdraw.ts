import { equalsBytes } from '@ethereumjs/util';
import type { Transaction } from '../../chain/block.ts';
import { DevnetError } from '../../errors.ts';
import type { Mempool } from '../../mempool/mempool.ts';
import { DEPOSIT_TYPE } from '../../protocol/op-stack/deposit-transaction.ts';
import type { Feed } from '../feed/feed.ts';
import { noncesIn } from '../nonces-in.ts';
import type { Turn } from '../turn.ts';
import { readmit } from './readmit.ts';

/**
 * Removes a pre-confirmed transaction from the open block. The block is reopened with its other transactions, and with the
 * replacement in its place if there is one. Transactions that can't be included any more return to the mempool.
 * @throws DevnetError -32000 when the transaction isn't pre-confirmed, or its replacement can't be included
 */
export async function withdraw(
  change: { hash: Uint8Array; replacement?: ((withdrawn: Transaction) => Transaction) | undefined },
  { producer, admit }: Turn,
  { mempool, feed }: { mempool: Mempool; feed: Feed },
): Promise<void> {
  const before = producer.preconfirmed?.record.transactions ?? [];
  const at = before.findIndex(({ hash }) => equalsBytes(hash, change.hash));
  const withdrawn = before[at];
  if (!withdrawn) throw new DevnetError('server', { reason: 'the transaction is not pre-confirmed' });
  const instead = change.replacement?.(withdrawn);
  const list = before.toSpliced(at, 1, ...(instead ? [instead] : []));
  const { transactions } = await producer.rebuild(list, instead);
  const included = new Set(transactions);
  if (instead && !included.has(instead))
    throw new DevnetError('server', { reason: 'the replacement can not be included' });

  const leftOut = before.filter((transaction) => !included.has(transaction));
  for (const { from, tx } of leftOut.toReversed())
    if ((tx !== withdrawn.tx || !instead) && tx.type !== DEPOSIT_TYPE) mempool.setNonce(from, tx.nonce);
  // A deposit has no nonce field, so its sender's nonce is read from the state.
  if (leftOut.some(({ tx }) => tx.type === DEPOSIT_TYPE))
    mempool.prune(await noncesIn(producer.preconfirmed!.view.state, mempool));
  feed.emit('dropped', {
    transaction: withdrawn,
    reason: 'it was pre-confirmed, and then left out of the block',
    ...(instead && { by: instead.hash }),
  });
  await readmit(
    leftOut.filter((transaction) => transaction !== withdrawn),
    admit,
    (transaction, reason) => feed.emit('dropped', { transaction, reason }),
  );
}
