import { effect, type Signal, signal } from '@preact/signals';
import { rpc, store } from '../app.ts';
import type { Hex } from '../data/types.ts';

/** The accounts that the node signs for, in lower case, in the node's order. */
export const devAccounts: Signal<readonly Hex[]> = signal([]);
/** The fee recipient of blocks. */
export const coinbase: Signal<Hex | undefined> = signal(undefined);

const indexes = new Map<string, number>();

/** The index of an account in the node's list; `undefined` for other accounts. */
export function accountIndex(address: string): number | undefined {
  return devAccounts.value.length > 0 ? indexes.get(address.toLowerCase()) : undefined;
}

/** Loads the accounts again, because some may have been added. */
export async function loadAccounts(): Promise<void> {
  const [accounts, receiver] = await Promise.all([
    rpc.call<Hex[]>('eth_accounts'),
    rpc.call<Hex>('eth_coinbase').catch(() => undefined),
  ]);
  indexes.clear();
  for (const [i, address] of accounts.entries()) indexes.set(address.toLowerCase(), i);
  devAccounts.value = accounts.map((it) => it.toLowerCase() as Hex);
  coinbase.value = receiver?.toLowerCase() as Hex | undefined;
}

let loadedFor = '';
effect(() => {
  const id = store.status.value?.instanceId;
  if (!id || id === loadedFor) return;
  loadedFor = id;
  loadAccounts().catch(() => {
    // The connection ended; the next connection loads the accounts again.
    loadedFor = '';
  });
});
