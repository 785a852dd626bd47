import type { Address } from '@ethereumjs/util';
import type { Mempool } from '../mempool/mempool.ts';
import type { StateView } from '../state/view.ts';

/**
 * Makes a nonce lookup for `Mempool.prune`. Fetches the accounts of all senders in the mempool in advance, so that
 * afterwards the mempool and the head can change without an await in between.
 * @returns the lookup; it returns `undefined` for a sender that entered the mempool later and whose account isn't loaded:
 *   its transactions were admitted against the newest state
 */
export async function noncesIn(
  state: StateView,
  mempool: Mempool,
): Promise<(sender: Address) => bigint | undefined> {
  await Promise.all(mempool.senders().map((sender) => state.getAccount(sender)));
  return (sender) => {
    const account = state.getAccount(sender);
    return account instanceof Promise ? undefined : (account?.nonce ?? 0n);
  };
}
