import { rpc } from '../app.ts';
import type { Hex, Receipt, Transaction } from './types.ts';

/** A transaction's position in the chain, as `devnet_searchTransactions` takes and returns it. */
export interface Place {
  readonly block: Hex;
  readonly index: Hex;
}

/** Filters of a search; see `devnet_searchTransactions`. */
export interface Search {
  readonly before?: Place;
  readonly after?: Place;
  readonly limit?: number;
  readonly from?: Hex;
  readonly to?: Hex;
  readonly creates?: boolean;
  readonly selector?: Hex;
  readonly failed?: boolean;
}

export type TimedReceipt = Receipt & { readonly timestamp: Hex };

export interface Found {
  readonly transactions: readonly Transaction[];
  readonly receipts: readonly TimedReceipt[];
  /** position from which the search continues; `null` at the end of the chain */
  readonly next: Place | null;
}

/** Requests after which a search through empty blocks stops; the next page continues it. */
const MAX_REQUESTS = 50;

/** A page of transactions. Each request searches 10,000 blocks; while too few are found, further requests follow. */
export async function searchTransactions(search: Search): Promise<Found> {
  const { limit = 25 } = search;
  const transactions: Transaction[] = [];
  const receipts: TimedReceipt[] = [];
  let next: Place | null = null;
  for (let request = 0; request < MAX_REQUESTS; request++) {
    const from = next && (search.after ? { after: next } : { before: next });
    const page: Found = await rpc.call<Found>('devnet_searchTransactions', {
      ...search,
      ...from,
      limit: limit - transactions.length,
    });
    transactions.push(...page.transactions);
    receipts.push(...page.receipts);
    next = page.next;
    if (!next || transactions.length >= limit) break;
  }
  return { transactions, receipts, next };
}
