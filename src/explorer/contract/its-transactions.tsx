import { rpc, store } from '../app.ts';
import type { Hex, Receipt, Transaction } from '../data/types.ts';
import { type Listed, TransactionTable } from '../parts/transaction-rows.tsx';
import { useRemote } from '../parts/use-remote.ts';
import { Panel, Waiting } from '../parts/values.tsx';

/** Limit of the transactions shown from the block being built. */
const MAX_PRECONFIRMED = 25;

interface Page {
  readonly txs: readonly Transaction[];
  readonly receipts: readonly (Receipt & { readonly timestamp: Hex })[];
}

/** The transactions that involve an address, also in internal calls: pre-confirmed ones, and one page of sealed ones. */
export function ItsTransactions({ address, head }: { address: Hex; head: string }) {
  const found = useRemote(head, () => rpc.call<Page>('ots_searchTransactionsBefore', address, 0, 25));
  const sealed = found.value?.txs ?? [];
  const isSealed = new Set(sealed.map(({ hash }) => hash));
  const involves = ({ from, to }: Transaction) => [from, to].includes(address.toLowerCase() as Hex);
  const fresh = (store.pending.value?.block.transactions ?? [])
    .filter((it) => involves(it) && !isSealed.has(it.hash))
    .slice(-MAX_PRECONFIRMED)
    .reverse()
    .map((transaction): Listed => ({ transaction, receipt: undefined, isPreconfirmed: true }));
  const list = sealed.map((transaction, i): Listed => {
    const receipt = found.value!.receipts[i]!;
    return { transaction, receipt, timestamp: receipt.timestamp };
  });
  return (
    <Panel title="Transactions" aside={<span class="dim small">the newest 25</span>}>
      {!found.value ? (
        <Waiting error={found.error} />
      ) : fresh.length + list.length === 0 ? (
        <p class="empty">No transactions yet.</p>
      ) : (
        <TransactionTable label="Transactions of the address" list={[...fresh, ...list]} />
      )}
    </Panel>
  );
}
