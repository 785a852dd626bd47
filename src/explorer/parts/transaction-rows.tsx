import { decoder } from '../abi/contracts.ts';
import { store } from '../app.ts';
import type { Hex, Receipt, Transaction } from '../data/types.ts';
import { ago, count, ether, gwei, time } from '../format.ts';
import { reasonText } from '../live/transaction-card.tsx';
import { describe } from '../names/describe.ts';
import { sourceOf } from '../names/source-of.ts';
import { Address } from './address.tsx';
import { Call } from './decoded.tsx';
import { type Outcome, StatusIcon } from './icon.tsx';
import { useNow } from './use-now.ts';
import { BlockLink, Table, TxLink } from './values.tsx';

/** A transaction in a table. */
export interface Listed {
  readonly transaction: Transaction;
  readonly receipt: Receipt | undefined;
  /** timestamp of its block, seconds */
  readonly timestamp?: Hex | undefined;
  readonly isPreconfirmed?: boolean | undefined;
}

/** Column headings of {@link TransactionRow}. */
export const TRANSACTION_HEAD = ['transaction', 'block', 'from', 'what', 'to', '#ETH', '#fee'];

/** A table of transactions with their outcomes. */
export function TransactionTable({ label, list }: { label: string; list: readonly Listed[] }) {
  return (
    <Table label={label} head={TRANSACTION_HEAD}>
      {list.map((listed) => (
        <TransactionRow key={listed.transaction.hash} {...listed} placed />
      ))}
    </Table>
  );
}

/** @param placed shows the block instead of the index in the block */
export function TransactionRow({
  transaction,
  receipt,
  timestamp,
  isPreconfirmed,
  placed,
}: Listed & { placed?: boolean }) {
  const { hash, from, to, value } = transaction;
  const outcome = outcomeOf(hash, receipt);
  return (
    <tr class="transaction">
      <td data-label="transaction">
        <span class="who">
          <StatusIcon outcome={outcome} />
          <TxLink hash={hash} />
        </span>
      </td>
      {placed ? (
        <td data-label="block">
          <Where transaction={transaction} timestamp={timestamp} isPreconfirmed={isPreconfirmed} />
        </td>
      ) : (
        <td data-label="index" class="dim">
          {Number(transaction.transactionIndex ?? 0)}
        </td>
      )}
      <td data-label="from">
        <Address value={from} />
      </td>
      <td data-label="what" class="what">
        <What transaction={transaction} receipt={receipt} />
        {outcome === 'failed' && <div class="bad small">{reasonText(hash, to)}</div>}
      </td>
      <td data-label="to">
        <Address value={to ?? receipt?.contractAddress} />
      </td>
      <td data-label="ETH" class={BigInt(value) === 0n ? 'number dim zero' : 'number'}>
        {ether(value)}
      </td>
      <td data-label="fee" class="number dim">
        {receipt && (
          <span title={`${count(receipt.gasUsed)} gas at ${gwei(receipt.effectiveGasPrice)} gwei`}>
            {ether(BigInt(receipt.gasUsed) * BigInt(receipt.effectiveGasPrice))}
          </span>
        )}
      </td>
    </tr>
  );
}

function Where({
  transaction: { blockNumber },
  timestamp,
  isPreconfirmed,
}: Pick<Listed, 'transaction' | 'timestamp' | 'isPreconfirmed'>) {
  const now = useNow();
  return (
    <span>
      {blockNumber && <BlockLink number={blockNumber} />}{' '}
      {isPreconfirmed ? (
        <span class="badge warn">pre-confirmed</span>
      ) : (
        timestamp && (
          <span class="dim small" title={time(timestamp)}>
            {ago(timestamp, now)}
          </span>
        )
      )}
    </span>
  );
}

/** The transaction's action: "send 25 TST to account 3", or the called function with its arguments. */
export function What({ transaction, receipt }: { transaction: Transaction; receipt: Receipt | undefined }) {
  const { to, input } = transaction;
  const { kind, verb, object, target, owner } = describe(transaction, receipt?.contractAddress);
  if (kind === 'call')
    return <Call decoded={decoder.value?.call(input, sourceOf(to))} raw={input} contract={to} brief />;
  if (kind === 'create') return <span>create {object}</span>;
  return (
    <span class="call">
      {verb} <b>{object}</b>
      {owner && (
        <>
          {' '}
          of <Address value={owner} />
        </>
      )}
      {target && target !== to && (
        <>
          {' '}
          to <Address value={target} />
        </>
      )}
    </span>
  );
}

/** The outcome of a transaction in a block. */
export function outcomeOf(hash: Hex, receipt: Pick<Receipt, 'status'> | null | undefined): Outcome {
  if (receipt?.status) return receipt.status === '0x1' ? 'success' : 'failed';
  return store.outcomes.of(hash) ?? 'unknown';
}
