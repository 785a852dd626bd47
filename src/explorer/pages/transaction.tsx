import { abiCode, contractName, decoder } from '../abi/contracts.ts';
import { rpc, store } from '../app.ts';
import { failingPath } from '../data/failing-path.ts';
import type { LifeEvent } from '../data/lives.ts';
import type { Frame, Hex, Receipt, Transaction } from '../data/types.ts';
import { count, ether, gwei, milliseconds, plural } from '../format.ts';
import { CallTree } from '../parts/call-tree.tsx';
import { Logs } from '../parts/log-list.tsx';
import { type AccountPart, PrestateDiff } from '../parts/prestate-diff.tsx';
import { useRemote } from '../parts/use-remote.ts';
import { Address, Arguments, BlockLink, Broken, Copy, Fact, Long, Panel, Waiting } from '../parts/values.tsx';
import { Status } from './block.tsx';

/** A transaction: what became of it and what it did. */
export function TransactionPage({ args: [hash = ''] }: { args: readonly string[] }) {
  const id = hash as Hex;
  void store.lives.version.value;
  const events = store.lives.of(id);
  // It is asked for again when something has happened to it.
  const key = `${hash} ${events.length}`;
  const found = useRemote(key, () => rpc.call<Transaction | null>('eth_getTransactionByHash', id));
  const receipt = useRemote(key, () => rpc.call<Receipt | null>('eth_getTransactionReceipt', id));
  const trace = useRemote(`${key} ${receipt.value?.blockNumber}`, async () =>
    receipt.value
      ? await rpc.call<Frame>('debug_traceTransaction', id, {
          tracer: 'callTracer',
          tracerConfig: { withLog: true },
        })
      : null,
  );
  const changes = useRemote(`${key} ${receipt.value?.blockNumber}`, async () =>
    receipt.value
      ? await rpc.call<{ pre: Record<Hex, AccountPart>; post: Record<Hex, AccountPart> }>(
          'debug_traceTransaction',
          id,
          {
            tracer: 'prestateTracer',
            tracerConfig: { diffMode: true },
          },
        )
      : null,
  );
  const transaction = found.value;
  if (found.loading) return <Waiting error={found.error} />;
  const failed = trace.value?.error !== undefined;
  const calls = receipt.value && (
    <Panel title="Calls">
      {trace.value ? <CallTree root={trace.value} /> : <Waiting error={trace.error} />}
    </Panel>
  );
  return (
    <>
      <h1>
        Transaction{' '}
        <State events={events} receipt={receipt.value} waits={transaction?.blockNumber === null} />
      </h1>
      <p>
        <code class="long">{hash}</code> <Copy text={hash} />
      </p>
      <Life events={events} receipt={receipt.value} />
      {found.error && <Waiting error={found.error} />}
      {!transaction && !found.error && (
        <Panel title="Not found">
          <p>
            {events.length > 0
              ? 'The transaction is neither in a block of this chain nor in the mempool.'
              : 'The node does not know this transaction.'}
          </p>
        </Panel>
      )}
      {transaction && <Overview transaction={transaction} receipt={receipt.value} />}
      {trace.value && failed && <Failure root={trace.value} />}
      {failed && calls}
      {transaction && <Input transaction={transaction} />}
      {trace.value && <Console root={trace.value} />}
      {receipt.value && (
        <Panel title={plural(receipt.value.logs.length, 'log')}>
          <Logs logs={receipt.value.logs} />
        </Panel>
      )}
      {!failed && calls}
      {receipt.value && (
        <Panel title="State changes">
          {changes.value ? <PrestateDiff {...changes.value} /> : <Waiting error={changes.error} />}
        </Panel>
      )}
    </>
  );
}

function State({
  events,
  receipt,
  waits,
}: {
  events: readonly LifeEvent[];
  receipt: Receipt | null | undefined;
  /** whether the node has found it in its mempool */
  waits: boolean;
}) {
  const last = events.at(-1)?.kind;
  if (!receipt && (last === 'dropped' || last === 'reorged')) return <span class="badge bad">{last}</span>;
  if (!receipt) return <span class="badge warn">{last === 'sent' || waits ? 'waiting' : 'unknown'}</span>;
  const head = store.sealed.value.at(-1);
  const isSealed = head && Number(receipt.blockNumber) <= Number(head.number);
  return (
    <>
      <span class={isSealed ? 'badge good' : 'badge warn'}>{isSealed ? 'sealed' : 'pre-confirmed'}</span>{' '}
      {receipt.status === '0x0' && <span class="badge bad">reverted</span>}
    </>
  );
}

/** From the mempool to a block or away, with the time that each step took. */
function Life({ events, receipt }: { events: readonly LifeEvent[]; receipt: Receipt | null | undefined }) {
  const [first] = events;
  if (!first)
    return receipt ? (
      <p class="dim">This page was not open when the transaction was sent, so its life line is not known.</p>
    ) : null;
  return (
    <Panel title="Life" aside={<span class="dim">times as this page heard of it</span>}>
      <ol class="life">
        {events.map((event, i) => (
          <li key={i} class={event.kind}>
            <b>{LIFE[event.kind]}</b>
            <span>
              <Where event={event} />
            </span>
            <span class="dim">{i === 0 ? 'begin' : `after ${milliseconds(event.at - first.at)}`}</span>
          </li>
        ))}
      </ol>
    </Panel>
  );
}

const LIFE = {
  sent: 'in the mempool',
  preconfirmed: 'pre-confirmed',
  sealed: 'sealed',
  dropped: 'dropped',
  reorged: 'reorged',
} as const;

function Where({ event }: { event: LifeEvent }) {
  if (event.kind === 'sent') return <a href="#/mempool">sent</a>;
  const block = <BlockLink number={event.block}>block {count(event.block)}</BlockLink>;
  if (event.kind === 'preconfirmed')
    return (
      <>
        {event.flashblock !== undefined && `at index ${event.flashblock} of `}
        {block}
      </>
    );
  if (event.kind === 'sealed') return <>in {block}</>;
  return <>{event.kind === 'dropped' ? <>from {block} while it was built</> : <>with {block}</>}</>;
}

function Overview({
  transaction: tx,
  receipt,
}: {
  transaction: Transaction;
  receipt: Receipt | null | undefined;
}) {
  return (
    <Panel title="Overview">
      <dl class="facts two">
        <Fact name="block">
          {receipt ? (
            <>
              <BlockLink number={receipt.blockNumber} />, index {Number(receipt.transactionIndex)}
            </>
          ) : (
            'none yet'
          )}
        </Fact>
        <Fact name="result">{receipt ? <Status receipt={receipt} /> : 'not executed yet'}</Fact>
        <Fact name="from">
          <Address value={tx.from} full />
        </Fact>
        <Fact name="to">
          {tx.to ? (
            <Address value={tx.to} full />
          ) : (
            <>
              creates{' '}
              {receipt?.contractAddress ? <Address value={receipt.contractAddress} full /> : 'a contract'}
            </>
          )}
        </Fact>
        <Fact name="value">{ether(tx.value, 18)} ETH</Fact>
        <Fact name="nonce">{count(tx.nonce)}</Fact>
        <Fact name="gas">
          {receipt ? `${count(receipt.gasUsed)} of ` : 'at most '}
          {count(tx.gas)}
        </Fact>
        <Fact name="gas price">
          {receipt && `${gwei(receipt.effectiveGasPrice)} gwei`}
          {tx.maxFeePerGas && (
            <span class="dim">
              {' '}
              at most {gwei(tx.maxFeePerGas)}, tip at most {gwei(tx.maxPriorityFeePerGas ?? '0x0')}
            </span>
          )}
        </Fact>
        <Fact name="type">{Number(tx.type)}</Fact>
        {receipt && (
          <Fact name="fee">{ether(BigInt(receipt.gasUsed) * BigInt(receipt.effectiveGasPrice), 9)} ETH</Fact>
        )}
      </dl>
    </Panel>
  );
}

/** The innermost frame that failed, which is the reason of all others. */
function Failure({ root }: { root: Frame }) {
  const path = failingPath(root);
  const frame = path.at(-1) ?? root;
  const data = frame.output ?? '0x';
  const decoded = decoder.value?.error(data, contractName(frame.to));
  return (
    <section class="panel failure" aria-label="Why it failed">
      <header>
        <h2>Why it failed</h2>
        <span class="dim">
          in <Address value={frame.to} />
        </span>
      </header>
      {decoded?.broken ? (
        <p>
          <Broken name={decoded.name} raw={data} />
        </p>
      ) : decoded ? (
        <>
          <p>
            <b class="bad">{decoded.name}</b> <span class="dim">of {decoded.source}</span>
          </p>
          <Arguments args={decoded.args} />
        </>
      ) : (
        <p>
          <b class="bad">{frame.revertReason ?? frame.error}</b>{' '}
          {data.length > 2 && <Long value={data} shown={66} />}
        </p>
      )}
    </section>
  );
}

function Input({ transaction: { input, to } }: { transaction: Transaction }) {
  if (input === '0x') return null;
  const decoded = to ? decoder.value?.call(input, contractName(to)) : undefined;
  return (
    <Panel
      title={to ? 'Input' : 'Init code'}
      aside={<span class="dim">{plural((input.length - 2) / 2, 'byte')}</span>}
    >
      {decoded && !decoded.broken && (
        <>
          <p>
            <b>{decoded.name}</b> <span class="dim">of {decoded.source}</span>
          </p>
          <Arguments args={decoded.args} />
        </>
      )}
      {decoded?.broken && (
        <p>
          <Broken name={decoded.name} raw={input} />
        </p>
      )}
      {!decoded && to && (
        <p class="dim">No ABI is known for {input.slice(0, 10)}: drop the contract's ABI on this page.</p>
      )}
      {!decoded?.broken && (
        <details>
          <summary>raw</summary>
          <Long value={input} />
        </details>
      )}
    </Panel>
  );
}

function Console({ root }: { root: Frame }) {
  const lines = abiCode.value?.consoleLines(root) ?? [];
  if (lines.length === 0) return null;
  return (
    <Panel title="console.log">
      <pre>{lines.join('\n')}</pre>
    </Panel>
  );
}
