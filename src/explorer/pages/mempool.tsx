import { rpc, store } from '../app.ts';
import { preconfirms } from '../data/feed.ts';
import type { Hex } from '../data/types.ts';
import { capOf, type Pool, reasons } from '../data/waiting.ts';
import { count, ether, gwei, plural } from '../format.ts';
import { Address } from '../parts/address.tsx';
import { What } from '../parts/transaction-rows.tsx';
import { useRemote } from '../parts/use-remote.ts';
import { Panel, Table, TxLink, Waiting } from '../parts/values.tsx';

const MAX = 200;

/** The transactions in the mempool, with the reason why each waits. */
export function MempoolPage() {
  const status = store.status.value;
  const moment = `${store.lifecycles.version.value} ${store.pending.value?.block.hash} ${store.sealed.value.at(-1)?.hash} ${status?.mempool}`;
  const pool = useRemote(moment, async () => {
    const [content, baseFee] = await Promise.all([
      rpc.call<Pool>('txpool_content'),
      rpc.call<Hex>('eth_baseFee'),
    ]);
    const senders = Object.keys(content.queued).slice(0, MAX);
    const next = await Promise.all(
      senders.map((sender) => rpc.call<Hex>('eth_getTransactionCount', sender, 'pending')),
    );
    const nonces = new Map(senders.map((sender, i) => [sender, Number(next[i])]));
    return { ...content, nonces, baseFee: BigInt(baseFee) };
  });
  if (!pool.value) return <Waiting error={pool.error} />;
  const waiting = reasons(pool.value, { ...pool.value, ready: readyFor(status) });
  return (
    <>
      <div class="title">
        <h1>Mempool</h1>
      </div>
      <Panel
        title={plural(waiting.length, 'waiting transaction')}
        aside={<span class="dim">next base fee {gwei(pool.value.baseFee)} gwei</span>}
      >
        {waiting.length === 0 ? (
          <p class="dim">Nothing waits. Transactions are in the mempool until the next {readyFor(status)}.</p>
        ) : (
          <Table
            label="Waiting transactions"
            head={['hash', 'from', '#nonce', 'to', 'what', '#ETH', '#fee cap, gwei', 'why it waits']}
          >
            {waiting.slice(0, MAX).map(({ transaction, reason, stuck }) => (
              <tr key={transaction.hash}>
                <td data-label="transaction">
                  <TxLink hash={transaction.hash} />
                </td>
                <td data-label="from">
                  <Address value={transaction.from} />
                </td>
                <td data-label="nonce" class="number">
                  {count(transaction.nonce)}
                </td>
                <td data-label="to">
                  <Address value={transaction.to} />
                </td>
                <td data-label="what" class="what">
                  <What transaction={transaction} receipt={undefined} />
                </td>
                <td data-label="ETH" class="number">
                  {ether(transaction.value)}
                </td>
                <td data-label="fee cap" class="number">
                  {gwei(capOf(transaction))}
                </td>
                <td data-label="why it waits" class={stuck ? 'reason warn' : 'reason'}>
                  {reason}
                </td>
              </tr>
            ))}
          </Table>
        )}
        {waiting.length > MAX && <p class="dim">and {count(waiting.length - MAX)} more</p>}
      </Panel>
    </>
  );
}

function readyFor(status: typeof store.status.value): string {
  return status && preconfirms(status) ? 'flashblock' : 'block';
}
