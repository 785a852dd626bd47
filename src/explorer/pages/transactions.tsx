import { useState } from 'preact/hooks';
import { decoder } from '../abi/contracts.ts';
import { store } from '../app.ts';
import { type Place, type Search, searchTransactions } from '../data/history.ts';
import type { Hex } from '../data/types.ts';
import { count } from '../format.ts';
import { addressIn } from '../names/address-in.ts';
import { useDeployed } from '../names/deployed.ts';
import { Field } from '../parts/field.tsx';
import { type Listed, TransactionTable } from '../parts/transaction-rows.tsx';
import { useRemote } from '../parts/use-remote.ts';
import { Panel, Waiting } from '../parts/values.tsx';
import { linkTo, route } from '../route.ts';

const LIMIT = 25;
/** The position before all transactions. */
const OLDEST = '0.0';
/** Limit of the transactions of the block being built that are shown above the sealed ones. */
const MAX_PRECONFIRMED = 25;

/** All transactions back to genesis, the newest first, by pages, with filters. */
export function TransactionsPage() {
  useDeployed();
  const { query } = route.value;
  const isFiltered = Boolean(query.from || query.to || query.function || query.failed);
  return (
    <>
      <div class="title">
        <h1>Transactions</h1>
        {isFiltered && (
          <a class="button end" href="#/transactions">
            Remove all filters
          </a>
        )}
      </div>
      <Filters key={JSON.stringify([query.from, query.to, query.function])} />
      <List key={JSON.stringify(query)} query={query} isFiltered={isFiltered} />
    </>
  );
}

/** A page of transactions. Each page is a component of its own and begins empty, so that it never shows another page's rows. */
function List({ query, isFiltered }: { query: Query; isFiltered: boolean }) {
  const search = searchOf(query);
  const isNewest = !query.before && !query.after;
  const head = isNewest ? store.sealed.value.at(-1)?.hash : '';
  // The key contains the resolved search, because names may be resolved after accounts and contracts are loaded.
  const found = useRemote(`${JSON.stringify(search)} ${head}`, async () => {
    if ('problem' in search) throw new Error(search.problem);
    // Without this check the search would be sent twice: before and after the head is known.
    return head === undefined ? undefined : searchTransactions(search);
  });
  const { transactions = [], receipts = [], next } = found.value ?? {};
  const sealed = transactions.map((transaction, i): Listed => {
    const receipt = receipts[i]!;
    return { transaction, receipt, timestamp: receipt.timestamp };
  });
  // A search with `after` returns the oldest transactions first.
  if (query.after) sealed.reverse();
  const known = new Set(transactions.map(({ hash }) => hash));
  const list = isNewest && !isFiltered ? [...preconfirmed(known), ...sealed] : sealed;
  if ('problem' in search) return <Waiting error={search.problem} />;
  if (found.error) return <Waiting error={found.error} />;
  return (
    <Panel
      title={isNewest ? 'Newest first' : query.after === OLDEST ? 'The oldest' : 'Older transactions'}
      aside={<Pages list={sealed} next={next} isNewest={isNewest} loading={found.loading} />}
    >
      {!found.value ? (
        <Waiting error={undefined} />
      ) : list.length === 0 ? (
        <p class="empty">{isFiltered ? 'No transaction matches these filters.' : 'No transactions yet.'}</p>
      ) : (
        <TransactionTable label="Transactions" list={list} />
      )}
    </Panel>
  );
}

function preconfirmed(known: ReadonlySet<Hex>): Listed[] {
  const head = Number(store.sealed.value.at(-1)?.number ?? 0);
  const pending = store.pending.value?.block;
  if (!pending || Number(pending.number) <= head) return [];
  return pending.transactions
    .filter(({ hash }) => !known.has(hash))
    .slice(-MAX_PRECONFIRMED)
    .reverse()
    .map((transaction) => ({ transaction, receipt: undefined, isPreconfirmed: true }));
}

type Query = Readonly<Record<string, string>>;

/** The search for the query in the page's URL. */
function searchOf(query: Query): Search | { readonly problem: string } {
  const { from, to, failed, before, after } = query;
  const sender = from ? addressIn(from) : undefined;
  const recipient = to ? addressIn(to) : undefined;
  const selector = query.function ? selectorIn(query.function) : undefined;
  if (from && !sender)
    return { problem: `from: expected an address or a name such as account 3, got ${from}` };
  if (to && !recipient) return { problem: `to: expected an address or the name of a contract, got ${to}` };
  if (query.function && !selector)
    return { problem: `function: no ABI is known with ${query.function}; 4 bytes in hex do as well` };
  return {
    limit: LIMIT,
    ...(sender && { from: sender }),
    ...(recipient && { to: recipient }),
    ...(selector && { selector }),
    ...(failed && { failed: failed === 'yes' }),
    ...(before && { before: placeIn(before) }),
    ...(after && { after: placeIn(after) }),
  };
}

function placeIn(text: string): Place {
  const [block = '0', index = '0'] = text.split('.');
  const quantity = (digits: string): Hex => `0x${BigInt(/^\d+$/.test(digits) ? digits : '0').toString(16)}`;
  return { block: quantity(block), index: quantity(index) };
}

function placeText({ block, index }: Place): string {
  return `${BigInt(block)}.${BigInt(index)}`;
}

/** The selector of a function given by name, signature or 4-byte selector. */
function selectorIn(text: string): Hex | undefined {
  if (/^0x[\da-f]{8}$/i.test(text)) return text as Hex;
  const all = decoder.value?.functions() ?? [];
  const named = all.find(({ item }) => {
    const types = item.inputs.map(({ type }) => type).join();
    return text.replaceAll(' ', '') === `${item.name}(${types})` || text === item.name;
  });
  return named?.selector;
}

function Filters() {
  const { query } = route.value;
  const [from, setFrom] = useState(query.from ?? '');
  const [to, setTo] = useState(query.to ?? '');
  const [name, setName] = useState(query.function ?? '');
  const apply = (failed = query.failed) => {
    location.hash = linkTo('transactions', {
      from: from.trim(),
      to: to.trim(),
      function: name.trim(),
      failed,
    });
  };
  return (
    <form
      class="form"
      aria-label="Filters"
      onSubmit={(event) => {
        event.preventDefault();
        apply();
      }}
    >
      <Field label="from" value={from} onValue={setFrom} placeholder="account 0 or 0x…" />
      <Field label="to" value={to} onValue={setTo} placeholder="Token or 0x…" />
      <Field label="function" value={name} onValue={setName} placeholder="transfer" />
      <label class="field">
        <span>result</span>
        <select value={query.failed ?? ''} onChange={(event) => apply(event.currentTarget.value)}>
          <option value="">any</option>
          <option value="yes">failed</option>
          <option value="no">success</option>
        </select>
      </label>
      <button type="submit">Filter</button>
    </form>
  );
}

function Pages(props: {
  list: readonly Listed[];
  next: Place | null | undefined;
  isNewest: boolean;
  loading: boolean;
}) {
  const { list, next, isNewest, loading } = props;
  const { query } = route.value;
  const { before: _, after, ...filters } = query;
  const place = (listed: Listed | undefined) =>
    listed && `${Number(listed.transaction.blockNumber)}.${Number(listed.transaction.transactionIndex)}`;
  const older =
    after === OLDEST ? undefined : after ? place(list.at(-1)) : next ? placeText(next) : undefined;
  return (
    <span class="row" aria-busy={loading}>
      {!isNewest && (
        <a class="button" href={linkTo('transactions', filters)}>
          Newest
        </a>
      )}
      {!isNewest && list.length > 0 && (
        <a class="button" href={linkTo('transactions', { ...filters, after: place(list[0]) })}>
          Newer
        </a>
      )}
      {older && (
        <a class="button" href={linkTo('transactions', { ...filters, before: older })}>
          Older
        </a>
      )}
      {older && (
        <a class="button" href={linkTo('transactions', { ...filters, after: OLDEST })}>
          Oldest
        </a>
      )}
      {!older && list.length > 0 && (
        <span class="dim small">
          this is the oldest one, of block {count(list.at(-1)!.transaction.blockNumber!)}
        </span>
      )}
    </span>
  );
}
