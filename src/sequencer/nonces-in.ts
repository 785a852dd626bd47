import type { Address } from '@ethereumjs/util';
import type { Mempool } from '../mempool/mempool.ts';
import type { StateView } from '../state/view.ts';

/**
 * What `Mempool.prune` asks. The accounts of those who wait are fetched now, where they have to be, so that the mempool
 * and what readers see can change in one go.
 * @returns `undefined` for a sender who came meanwhile and isn't known: admission judged by the newest state
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
