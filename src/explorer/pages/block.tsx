import { useEffect } from 'preact/hooks';
import { rpc, store } from '../app.ts';
import type { Block, Receipt, Transaction } from '../data/types.ts';
import { ago, count, gwei, percent, plural, time } from '../format.ts';
import { Address } from '../parts/address.tsx';
import { BlockAccesses } from '../parts/block-accesses.tsx';
import { Icon } from '../parts/icon.tsx';
import { TRANSACTION_HEAD, TransactionRow } from '../parts/transaction-rows.tsx';
import { useNow } from '../parts/use-now.ts';
import { useRemote } from '../parts/use-remote.ts';
import { Copy, Fact, Long, Panel, Table, Waiting } from '../parts/values.tsx';

/** The page of a block by number, hash or tag. The second argument selects one of its flashblocks. */
export function BlockPage({ args: [ref = 'pending', wanted] }: { args: readonly string[] }) {
  const isPending = ref === 'pending';
  const pending = isPending ? store.pending.value : undefined;
  const head = store.sealed.value.at(-1);
  // A reorg may change the block of a number, and each flashblock changes the receipts of the block being built.
  const key = `${ref} ${isPending ? '' : head?.hash}`;
  const fetched = useRemote(key, () => (pending ? Promise.resolve(null) : blockOf(ref)));
  const block = pending?.block ?? fetched.value;
  const receipts = useRemote(`${block?.hash}`, async () =>
    block
      ? await rpc.call<Receipt[] | null>('eth_getBlockReceipts', isPending ? 'pending' : block.hash)
      : null,
  );
  const isBuilt = isPending || (block && head && Number(block.number) > Number(head.number));
  if (!block)
    return (
      <Panel title={`Block ${ref}`}>
        {fetched.value === null && !fetched.loading ? (
          <p>The node has no such block.</p>
        ) : (
          <Waiting error={fetched.error} />
        )}
      </Panel>
    );
  const ends = pending?.whole ? pending.ends : store.groupsOf(block);
  return (
    <>
      <div class="title">
        <h1>Block {count(block.number)}</h1>
        <span class={isBuilt ? 'badge accent' : 'badge good'}>
          {!isBuilt && <Icon name="check" />}
          {isBuilt ? 'being built' : 'sealed'}
        </span>
        <Neighbours number={Number(block.number)} isBuilt={Boolean(isBuilt)} />
      </div>
      <Summary block={block} />
      <Transactions block={block} ends={ends} receipts={receipts.value ?? []} wanted={wanted} />
      <Withdrawals block={block} />
      {!isBuilt && <BlockAccesses block={block} />}
      <BlockHeader block={block} isBuilt={Boolean(isBuilt)} />
    </>
  );
}

function blockOf(ref: string): Promise<Block | null> {
  if (ref.length === 66) return rpc.call('eth_getBlockByHash', ref, true);
  return rpc.call('eth_getBlockByNumber', /^\d+$/.test(ref) ? `0x${BigInt(ref).toString(16)}` : ref, true);
}

function Neighbours({ number, isBuilt }: { number: number; isBuilt: boolean }) {
  return (
    <span class="row end">
      {number > 0 && (
        <a class="button" href={`#/difference/${number - 1}/${isBuilt ? 'pending' : number}`}>
          What it changed
        </a>
      )}
      {number > 0 && (
        <a class="button" href={`#/block/${number - 1}`}>
          Previous
        </a>
      )}
      {!isBuilt && (
        <a class="button" href={`#/block/${number + 1}`}>
          Next
        </a>
      )}
    </span>
  );
}

function Summary({ block }: { block: Block }) {
  const now = useNow();
  const { timestamp, transactions, gasUsed, gasLimit, baseFeePerGas, miner } = block;
  return (
    <Panel title="Overview">
      <dl class="numbers">
        <Fact name="age">{Number(block.number) === 0 ? 'genesis' : ago(timestamp, now)}</Fact>
        <Fact name="transactions">{count(transactions.length)}</Fact>
        <Fact name="gas used">
          {count(gasUsed)}{' '}
          <span class="dim small">{percent(Number(gasUsed) / Math.max(1, Number(gasLimit)))}</span>
        </Fact>
        <Fact name="base fee">{baseFeePerGas ? `${gwei(baseFeePerGas)} gwei` : 'none'}</Fact>
        <Fact name="fee recipient">
          <Address value={miner} />
        </Fact>
      </dl>
    </Panel>
  );
}

function BlockHeader({ block, isBuilt }: { block: Block; isBuilt: boolean }) {
  return (
    <Panel title="Header">
      <dl class="facts two">
        <Fact name={isBuilt ? 'partial hash' : 'hash'}>
          <code>{block.hash}</code> <Copy text={block.hash} icon label="copy hash" />
        </Fact>
        <Fact name="parent hash">
          <a class="mono" href={`#/block/${block.parentHash}`}>
            {block.parentHash}
          </a>
        </Fact>
        <Fact name="time">{time(block.timestamp)}</Fact>
        <Fact name="gas limit">{count(block.gasLimit)}</Fact>
        <Fact name="state root">
          <code>{block.stateRoot}</code>
        </Fact>
        <Fact name="receipts root">
          <code>{block.receiptsRoot}</code>
        </Fact>
        <Fact name="transactions root">
          <code>{block.transactionsRoot}</code>
        </Fact>
        <Fact name="prevRandao">
          <code>{block.mixHash}</code>
        </Fact>
        <Fact name="size">{plural(Number(block.size), 'byte')}</Fact>
        <Fact name="extra data">
          <Long value={block.extraData} shown={66} />
        </Fact>
      </dl>
    </Panel>
  );
}

function Transactions(props: {
  block: Block;
  ends: readonly number[] | undefined;
  receipts: readonly Receipt[];
  wanted: string | undefined;
}) {
  const { block, ends, receipts, wanted } = props;
  const { transactions } = block;
  const groups = groupsOf(transactions, ends);
  const byHash = new Map(receipts.map((receipt) => [receipt.transactionHash, receipt]));
  useEffect(() => {
    if (wanted !== undefined)
      document.getElementById(`flashblock-${wanted}`)?.scrollIntoView({ block: 'center' });
  }, [wanted]);
  return (
    <Panel
      title={plural(transactions.length, 'transaction')}
      aside={ends && <span class="dim small">by flashblock</span>}
    >
      {transactions.length > 0 && (
        <Table label="Transactions of the block" head={TRANSACTION_HEAD.with(1, 'index')}>
          {groups.flatMap(({ index, list }) => [
            ...(index === undefined || list.length === 0
              ? []
              : [
                  <tr
                    key={`f${index}`}
                    id={`flashblock-${index}`}
                    class={String(index) === wanted ? 'group wanted' : 'group'}
                  >
                    <th scope="rowgroup" colSpan={7}>
                      flashblock {index} <span class="dim">{plural(list.length, 'transaction')}</span>{' '}
                      <a href={`#/tx/${list[0]!.hash}/source`}>step through</a>
                    </th>
                  </tr>,
                ]),
            ...list.map((transaction) => (
              <TransactionRow
                key={transaction.hash}
                transaction={transaction}
                receipt={byHash.get(transaction.hash)}
              />
            )),
          ])}
        </Table>
      )}
    </Panel>
  );
}

/** The transactions of each flashblock; one group without an index if the flashblocks aren't known. */
export function groupsOf(transactions: readonly Transaction[], ends: readonly number[] | undefined) {
  if (!ends) return [{ index: undefined, list: transactions }];
  return ends.map((end, i) => {
    const first = i === 0 ? 0 : ends[i - 1]!;
    // The group of flashblock 0, which opens the block, may be empty.
    return { index: i, list: transactions.slice(first, end) };
  });
}

function Withdrawals({ block: { withdrawals = [] } }: { block: Block }) {
  if (withdrawals.length === 0) return null;
  return (
    <Panel title={plural(withdrawals.length, 'withdrawal')}>
      <Table label="Withdrawals" head={['#index', '#validator', 'address', '#gwei']}>
        {withdrawals.map(({ index, validatorIndex, address, amount }) => (
          <tr key={index}>
            <td data-label="index" class="number">
              {count(index)}
            </td>
            <td data-label="validator" class="number">
              {count(validatorIndex)}
            </td>
            <td data-label="address">
              <Address value={address} />
            </td>
            <td data-label="gwei" class="number">
              {count(amount)}
            </td>
          </tr>
        ))}
      </Table>
    </Panel>
  );
}
