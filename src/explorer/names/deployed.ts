import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { seenContracts } from '../abi/contracts.ts';
import { store } from '../app.ts';
import { searchTransactions } from '../data/history.ts';
import type { Hex } from '../data/types.ts';

/** A contract that a transaction created. */
export interface Deployed {
  readonly address: Hex;
  readonly by: Hex;
  readonly transaction: Hex;
  readonly block: Hex;
  readonly timestamp: Hex;
}

const MAX = 100;
/** The newest contracts that transactions created, the newest first; `undefined` until they are loaded. */
export const deployed = signal<readonly Deployed[] | undefined>(undefined);
let upTo = '';

/** Loads the created contracts, unless the head is still the same. */
export async function loadDeployed(): Promise<void> {
  const head = store.head?.hash ?? '';
  if (head === upTo && deployed.peek()) return;
  upTo = head;
  const { transactions, receipts } = await searchTransactions({ creates: true, failed: false, limit: MAX });
  deployed.value = receipts.map((receipt, i) => ({
    address: receipt.contractAddress!,
    by: transactions[i]!.from,
    transaction: receipt.transactionHash,
    block: receipt.blockNumber,
    timestamp: receipt.timestamp,
  }));
}

/** For forms that accept names of contracts: loads the created contracts with each new head. */
export function useDeployed(): void {
  const head = store.sealed.value.at(-1)?.hash;
  useEffect(() => {
    if (!head) return;
    loadDeployed().catch(() => {
      // The connection ended; the next block triggers the request again.
    });
  }, [head]);
}

/** All contracts that the page knows. */
export function knownContracts(): Hex[] {
  const created = (deployed.value ?? []).map(({ address }) => address.toLowerCase() as Hex);
  return [...new Set([...created, ...seenContracts()])];
}
