import type { Transaction } from '../chain/block.ts';
import { DevnetError } from '../errors.ts';
import type { AdmissionRules } from '../mempool/admission.ts';
import type { Mempool } from '../mempool/mempool.ts';
import type { StateView } from '../state/view.ts';
import type { Feed } from './feed.ts';

/**
 * Reads the sender's account and lets the mempool judge.
 * @param state the pending view's
 * @throws DevnetError -32003 when it is not admitted
 */
export async function admit(
  transaction: Transaction,
  state: StateView,
  mempool: Mempool,
  rules: AdmissionRules,
): Promise<void> {
  // Awaited only where it is a promise: otherwise there is no gap in which the view could become old.
  const held = state.getCode(transaction.from);
  const code = held instanceof Promise ? await held : held;
  const found = state.getAccount(transaction.from);
  const account = found instanceof Promise ? await found : found;
  mempool.add(transaction, { nonce: account?.nonce ?? 0n, balance: account?.balance ?? 0n, code }, rules);
}

/** Admits again what was taken out of a block. What can't wait any more is told as dropped. */
export async function readmit(
  transactions: readonly Transaction[],
  admitOne: (transaction: Transaction) => Promise<void>,
  feed: Feed,
): Promise<void> {
  for (const transaction of transactions) {
    try {
      await admitOne(transaction);
    } catch (error) {
      if (!(error instanceof DevnetError)) throw error;
      feed.emit('dropped', { transaction, reason: error.message });
    }
  }
}
