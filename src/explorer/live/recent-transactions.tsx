import { useEffect, useState } from 'preact/hooks';
import { store } from '../app.ts';
import { preconfirms } from '../data/feed.ts';
import { searchTransactions } from '../data/history.ts';
import { addOutcomes, needOutcomes } from '../data/reasons.ts';
import type { Pending } from '../data/store.ts';
import type { Block, Transaction } from '../data/types.ts';
import { ago, count, percent, plural } from '../format.ts';
import { Icon } from '../parts/icon.tsx';
import { useNow } from '../parts/use-now.ts';
import { TransactionCard } from './transaction-card.tsx';

/** Limits of the transactions shown of the block being built, of each newest sealed block, and of each older one. */
const MAX = { building: 12, sealed: 9, old: 3 };
/** Number of the sealed blocks that are shown as the newest ones. */
const NEW_BLOCKS = 3;
/** Number of transactions that are shown if the chain has them, however old they are. */
const MIN_SHOWN = 25;

interface View {
  readonly pending: Pending | undefined;
  readonly sealed: readonly Block[];
}

/** The transactions of the block being built and of the sealed blocks, the newest first. Updates are paused under the pointer or focus. */
export function RecentTransactions() {
  const now: View = { pending: store.pending.value, sealed: store.sealed.value };
  const [held, setHeld] = useState<View>();
  const { pending, sealed } = held ?? now;
  const newer = held ? newerIn(now, held) : 0;
  const blocks = [...sealed].reverse();
  const shown = blocks.reduce((sum, { transactions }) => sum + transactions.length, 0);
  const isEmpty = shown + (pending?.block.transactions.length ?? 0) === 0;
  return (
    <section
      class="recent"
      aria-label="Transactions as they come"
      onMouseEnter={() => setHeld(now)}
      onMouseLeave={() => setHeld(undefined)}
      onFocusCapture={() => setHeld(held ?? now)}
      onBlurCapture={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget as Node | null)) setHeld(undefined);
      }}
    >
      {newer > 0 && (
        <p class="held">
          <span class="badge accent">
            <Icon name="pause" /> {plural(newer, 'newer transaction')}
          </span>
        </p>
      )}
      {/* One list for all blocks: a block keeps its element when it is sealed. */}
      {[
        pending && !isEmpty && (
          <BlockTransactions key={pending.block.number} block={pending.block} place="building" />
        ),
        ...groups(blocks).map(({ kind, blocks: group }) => {
          const [first] = group;
          if (kind === 'empty') return <EmptyBlocks key={first!.number} blocks={group} />;
          if (kind === 'single')
            return <SingleTransactionBlocks key={`single ${group.at(-1)!.number}`} blocks={group} />;
          return <BlockTransactions key={first!.number} block={first!} place={blocks.indexOf(first!)} />;
        }),
      ]}
      {shown < MIN_SHOWN && blocks.length > 0 && <Earlier before={blocks.at(-1)!} />}
    </section>
  );
}

/** The number of transactions that arrived since the updates were paused. */
function newerIn(now: View, held: View): number {
  const seen = new Set([...held.sealed, ...(held.pending ? [held.pending.block] : [])].flatMap(hashesOf));
  const all = [...now.sealed, ...(now.pending ? [now.pending.block] : [])].flatMap(hashesOf);
  return all.filter((hash) => !seen.has(hash)).length;
}

const hashesOf = ({ transactions }: Block) => transactions.map(({ hash }) => hash);

/** Consecutive empty blocks form a group, and so do consecutive blocks of one transaction each, which automine makes. */
interface Group {
  readonly kind: 'empty' | 'single' | 'full';
  readonly blocks: Block[];
}

function groups(blocks: readonly Block[]): Group[] {
  const made: Group[] = [];
  const preconfirmed = preconfirms(store.status.value!);
  for (const block of blocks) {
    const last = made.at(-1);
    const { length } = block.transactions;
    const kind = length === 0 ? 'empty' : length === 1 && !preconfirmed ? 'single' : 'full';
    if (kind !== 'full' && last?.kind === kind) last.blocks.push(block);
    else made.push({ kind, blocks: [block] });
  }
  return made;
}

/** Blocks of one transaction each. */
function SingleTransactionBlocks({ blocks }: { blocks: readonly Block[] }) {
  const now = useNow();
  const [last, first] = [blocks[0]!, blocks.at(-1)!];
  useEffect(() => {
    for (const block of blocks) needOutcomes(block);
  }, [last.hash]);
  return (
    <div class="block-group">
      <header>
        <a href={`#/block/${Number(last.number)}`}>
          {blocks.length === 1 ? 'Block' : 'Blocks'} {blocks.length > 1 && `${count(first.number)} to `}
          {count(last.number)}
        </a>
        <span class="end">{blocks.length > 1 ? 'a transaction each' : '1 transaction'}</span>
      </header>
      <ul class="cards">
        {blocks.map(({ number, timestamp, transactions: [transaction] }) => (
          <li key={transaction!.hash}>
            <TransactionCard
              transaction={transaction!}
              label={`block ${count(number)}, ${ago(timestamp, now)}`}
            />
          </li>
        ))}
      </ul>
    </div>
  );
}

/** A block with its transactions, which keep their positions when it is sealed. @param place index among the sealed blocks, 0 the newest */
function BlockTransactions({ block, place }: { block: Block; place: number | 'building' }) {
  const { number, transactions, gasUsed, gasLimit, timestamp } = block;
  const isBuilding = place === 'building';
  const href = isBuilding ? '#/block/pending' : `#/block/${Number(number)}`;
  const now = useNow();
  const preconfirmed = preconfirms(store.status.value!);
  const ends = isBuilding ? store.pending.value?.ends : store.groupsOf(block);
  useEffect(() => {
    if (!isBuilding) needOutcomes(block);
  }, [block.hash]);
  const most = isBuilding
    ? MAX.building
    : place < NEW_BLOCKS || transactions.length < MAX.sealed
      ? MAX.sealed
      : MAX.old;
  return (
    <div class={isBuilding ? 'block-group building' : 'block-group'}>
      <header>
        <a href={href}>Block {count(number)}</a>
        {isBuilding && <span class="badge accent">being built</span>}
        {!isBuilding && preconfirmed && (
          <span class="badge good">
            <Icon name="check" />
            sealed
          </span>
        )}
        {!isBuilding && <span>{ago(timestamp, now)}</span>}
        <span class="end">
          {plural(transactions.length, 'transaction')}
          {!isBuilding && ` · ${percent(Number(gasUsed) / Math.max(1, Number(gasLimit)))} of the gas`}
        </span>
      </header>
      <TransactionCards transactions={transactions} ends={ends} most={most} href={href} />
    </div>
  );
}

/** @param props.ends number of transactions in the block after each flashblock */
function TransactionCards({
  transactions,
  ends,
  most,
  href,
}: {
  transactions: readonly Transaction[];
  ends: readonly number[] | undefined;
  most: number;
  href: string;
}) {
  const first = Math.max(0, transactions.length - most);
  const shown = transactions.slice(first).map((transaction, i) => {
    const flashblock = ends?.findIndex((end) => first + i < end) ?? -1;
    return { transaction, label: flashblock < 0 ? undefined : `flashblock ${flashblock}` };
  });
  return (
    <>
      <ul class="cards">
        {shown.reverse().map(({ transaction, label }) => (
          <li key={transaction.hash}>
            <TransactionCard transaction={transaction} label={label} />
          </li>
        ))}
      </ul>
      {transactions.length > most && (
        <p class="rest small">
          <a href={href}>All {plural(transactions.length, 'transaction')} of the block</a>
        </p>
      )}
    </>
  );
}

function EmptyBlocks({ blocks }: { blocks: readonly Block[] }) {
  const [last, first] = [blocks[0]!, blocks.at(-1)!];
  return (
    <p class="empty-blocks">
      {blocks.length === 1 ? (
        <>
          <a href={`#/block/${Number(last.number)}`}>Block {count(last.number)}</a>{' '}
          {Number(last.number) === 0 ? 'is the genesis block' : 'is empty'}
        </>
      ) : (
        <>
          {count(blocks.length)} empty blocks,{' '}
          <a href={`#/block/${Number(first.number)}`}>{count(first.number)}</a> to{' '}
          <a href={`#/block/${Number(last.number)}`}>{count(last.number)}</a>
        </>
      )}
    </p>
  );
}

/** Transactions from before the kept blocks, however old they are. */
function Earlier({ before }: { before: Block }) {
  const [found, setFound] = useState<readonly Transaction[]>([]);
  // Blocks leave the list of kept blocks while the page is open: `recent` still has their transactions.
  const left = store.recent.value
    .filter(({ block }) => block < Number(before.number))
    .map(({ transaction }) => transaction);
  const known = new Set(left.map(({ hash }) => hash));
  const shown = [...left, ...found.filter(({ hash }) => !known.has(hash))].slice(0, MIN_SHOWN);
  useEffect(() => {
    searchTransactions({ before: { block: before.number, index: '0x0' }, limit: MIN_SHOWN }).then(
      ({ transactions, receipts }) => {
        addOutcomes(receipts);
        setFound(transactions);
      },
      () => {
        // The connection ended; the page begins anew after the next connection.
      },
    );
  }, []);
  if (shown.length === 0) return null;
  return (
    <div class="block-group">
      <header>
        <a href="#/transactions">Earlier transactions</a>
        <span>the newest in block {count(shown[0]!.blockNumber!)}</span>
      </header>
      <ul class="cards">
        {shown.map((transaction) => (
          <li key={transaction.hash}>
            <TransactionCard transaction={transaction} label={`block ${count(transaction.blockNumber!)}`} />
          </li>
        ))}
      </ul>
    </div>
  );
}
