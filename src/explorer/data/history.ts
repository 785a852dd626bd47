import { rpc } from '../app.ts';
import type { Hex, Receipt, Transaction } from './types.ts';

/** A transaction's place in the chain, as `devnet_searchTransactions` takes and gives it. */
export interface Place {
  readonly block: Hex;
  readonly index: Hex;
}

/** What is looked for; see `devnet_searchTransactions`. */
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
  /** where the search goes on; `null` at the end of the chain */
  readonly next: Place | null;
}

/** Requests after which a search stops to look through empty blocks; the next page goes on. */
const MOST_REQUESTS = 50;

/** A page of transactions. Each request looks through 10,000 blocks; where they are empty, the next ones follow. */
export async function searchTransactions(search: Search): Promise<Found> {
  const { limit = 25 } = search;
  const transactions: Transaction[] = [];
  const receipts: TimedReceipt[] = [];
  let next: Place | null = null;
  for (let request = 0; request < MOST_REQUESTS; request++) {
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
