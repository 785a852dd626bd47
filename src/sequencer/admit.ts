import type { BlockView, Transaction } from '../chain/block.ts';
import type { AdmissionRules } from '../mempool/admission.ts';
import type { Mempool } from '../mempool/mempool.ts';
import type { AccountState } from '../state/view.ts';

/**
 * Puts a transaction into the mempool, judged by its sender's account in the newest view.
 * @param newest the view to judge by, as it is now
 * @param added runs at once when it is in
 * @throws DevnetError -32003 when it is not admitted
 */
export async function admit(
  transaction: Transaction,
  newest: () => BlockView,
  rules: AdmissionRules,
  mempool: Mempool,
  added?: () => void,
): Promise<void> {
  let view: BlockView;
  let code: Uint8Array;
  let account: AccountState | undefined;
  do {
    view = newest();
    // Awaited only where it is a promise: otherwise there is no gap in which the view could become old.
    const held = view.state.getCode(transaction.from);
    code = held instanceof Promise ? await held : held;
    const found = view.state.getAccount(transaction.from);
    account = found instanceof Promise ? await found : found;
  } while (view !== newest());
  mempool.add(transaction, { nonce: account?.nonce ?? 0n, balance: account?.balance ?? 0n, code }, rules);
  added?.();
}
