import { useEffect } from 'preact/hooks';
import { decoder } from '../abi/contracts.ts';
import { rpc, store } from '../app.ts';
import type { Block, Hex, Receipt, Transaction } from '../data/types.ts';
import { count, ether, gwei, percent, plural, time } from '../format.ts';
import { useRemote } from '../parts/use-remote.ts';
import {
  Address,
  BlockLink,
  Call,
  Copy,
  Fact,
  Long,
  Panel,
  Table,
  TxLink,
  Waiting,
} from '../parts/values.tsx';

/** A block by number, hash or tag, and with a second argument one of its flashblocks. */
export function BlockPage({ args: [ref = 'pending', wanted] }: { args: readonly string[] }) {
  const isPending = ref === 'pending';
  const pending = isPending ? store.pending.value : undefined;
  const head = store.sealed.value.at(-1);
  // A block by its number changes with a reorg, and its receipts while it is built.
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
  const ends = pending?.whole ? pending.ends : store.groupsOf(block.hash);
  return (
    <>
      <h1>
        Block {count(block.number)}{' '}
        <span class={isBuilt ? 'badge warn' : 'badge good'}>{isBuilt ? 'being built' : 'sealed'}</span>
      </h1>
      <BlockHeader block={block} isBuilt={Boolean(isBuilt)} />
      <Transactions block={block} ends={ends} receipts={receipts.value ?? []} wanted={wanted} />
      <Withdrawals block={block} />
    </>
  );
}

function blockOf(ref: string): Promise<Block | null> {
  if (ref.length === 66) return rpc.call('eth_getBlockByHash', ref, true);
  return rpc.call('eth_getBlockByNumber', /^\d+$/.test(ref) ? `0x${BigInt(ref).toString(16)}` : ref, true);
}

function BlockHeader({ block, isBuilt }: { block: Block; isBuilt: boolean }) {
  const number = Number(block.number);
  return (
    <Panel
      title="Header"
      aside={
        <span>
          {number > 0 && <BlockLink number={number - 1}>← {count(number - 1)}</BlockLink>}{' '}
          {!isBuilt && <BlockLink number={number + 1}>{count(number + 1)} →</BlockLink>}
        </span>
      }
    >
      <dl class="facts two">
        <Fact name={isBuilt ? 'partial hash' : 'hash'}>
          <code>{block.hash}</code> <Copy text={block.hash} />
        </Fact>
        <Fact name="parent">
          <a class="hash" href={`#/block/${block.parentHash}`}>
            {block.parentHash}
          </a>
        </Fact>
        <Fact name="time">{time(block.timestamp)}</Fact>
        <Fact name="gas">
          {count(block.gasUsed)} of {count(block.gasLimit)} (
          {percent(Number(block.gasUsed) / Math.max(1, Number(block.gasLimit)))})
        </Fact>
        <Fact name="base fee">{block.baseFeePerGas ? `${gwei(block.baseFeePerGas)} gwei` : 'none'}</Fact>
        <Fact name="receiver of tips">
          <Address value={block.miner} full />
        </Fact>
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
  useEffect(() => {
    if (wanted !== undefined)
      document.getElementById(`flashblock-${wanted}`)?.scrollIntoView({ block: 'center' });
  }, [wanted]);
  return (
    <Panel
      title={plural(transactions.length, 'transaction')}
      aside={<span class="dim">{ends ? 'by flashblock' : 'this page did not see its flashblocks'}</span>}
    >
      {transactions.length > 0 && (
        <Table
          label="Transactions of the block"
          head={['#index', 'hash', 'from', 'to', 'what', '#ETH', '#gas', 'result']}
        >
          {groups.flatMap(({ index, first, list }) => [
            ...(index === undefined || list.length === 0
              ? []
              : [
                  <tr
                    key={`f${index}`}
                    id={`flashblock-${index}`}
                    class={String(index) === wanted ? 'group wanted' : 'group'}
                  >
                    <th scope="rowgroup" colSpan={8}>
                      flashblock {index} <span class="dim">{plural(list.length, 'transaction')}</span>
                    </th>
                  </tr>,
                ]),
            ...list.map((transaction, i) => (
              <Row
                key={transaction.hash}
                transaction={transaction}
                index={first + i}
                receipt={receipts.find(({ transactionHash }) => transactionHash === transaction.hash)}
              />
            )),
          ])}
        </Table>
      )}
    </Panel>
  );
}

/** The transactions of each flashblock; all in one group without an index where that isn't known. */
export function groupsOf(transactions: readonly Transaction[], ends: readonly number[] | undefined) {
  if (!ends) return [{ index: undefined, first: 0, list: transactions }];
  return ends.map((end, i) => {
    const first = i === 0 ? 0 : ends[i - 1]!;
    // Flashblock 0 opens the block without transactions.
    return { index: i, first, list: transactions.slice(first, end) };
  });
}

function Row({
  transaction,
  index,
  receipt,
}: {
  transaction: Transaction;
  index: number;
  receipt: Receipt | undefined;
}) {
  return (
    <tr>
      <td class="number">{index}</td>
      <td>
        <TxLink hash={transaction.hash} />
      </td>
      <td>
        <Address value={transaction.from} />
      </td>
      <td>
        <Address value={transaction.to ?? (receipt?.contractAddress as Hex | undefined)} />
      </td>
      <td class="what">
        {transaction.to ? (
          <Call decoded={decoder.value?.call(transaction.input)} raw={transaction.input} />
        ) : (
          <span class="dim">creates a contract</span>
        )}
      </td>
      <td class="number">{ether(transaction.value)}</td>
      <td class="number">{receipt ? count(receipt.gasUsed) : '…'}</td>
      <td>{receipt && <Status receipt={receipt} />}</td>
    </tr>
  );
}

export function Status({ receipt }: { receipt: Pick<Receipt, 'status'> }) {
  if (receipt.status === undefined) return <span class="dim">no status before Byzantium</span>;
  return receipt.status === '0x1' ? <span class="good">success</span> : <span class="bad">reverted</span>;
}

function Withdrawals({ block: { withdrawals = [] } }: { block: Block }) {
  if (withdrawals.length === 0) return null;
  return (
    <Panel title={plural(withdrawals.length, 'withdrawal')}>
      <Table label="Withdrawals" head={['#index', '#validator', 'address', '#gwei']}>
        {withdrawals.map(({ index, validatorIndex, address, amount }) => (
          <tr key={index}>
            <td class="number">{count(index)}</td>
            <td class="number">{count(validatorIndex)}</td>
            <td>
              <Address value={address} />
            </td>
            <td class="number">{count(amount)}</td>
          </tr>
        ))}
      </Table>
    </Panel>
  );
}
