import { useState } from 'preact/hooks';
import type { TransactionEvent } from '../../rpc/read/transaction-status.ts';
import { decoder, hasAbis } from '../abi/contracts.ts';
import { store } from '../app.ts';
import { changesOf, etherTransfers, feeOf, swapIn, tokenTransfers } from '../data/effects.ts';
import { failingPath } from '../data/failing-path.ts';
import type { Frame, Hex, Receipt, Transaction } from '../data/types.ts';
import { ago, count, etherText, gwei, percent, plural, time, typeName } from '../format.ts';
import { sourceOf } from '../names/source-of.ts';
import { Address } from '../parts/address.tsx';
import { amountOf, Signed } from '../parts/amount.tsx';
import { Arguments, Broken, callText } from '../parts/decoded.tsx';
import { Logs } from '../parts/log-list.tsx';
import { useNow } from '../parts/use-now.ts';
import { BlockLink, Fact, Long, Panel, Waiting } from '../parts/values.tsx';
import { Lifecycle } from './lifecycle.tsx';
import { Sentence } from './sentence.tsx';

/** The data about a transaction that the page has loaded. */
export interface Known {
  readonly transaction: Transaction;
  readonly receipt: Receipt | null | undefined;
  readonly trace: Frame | null | undefined;
  readonly traceError: string | undefined;
  readonly events: readonly TransactionEvent[];
  /** timestamp of its block, seconds */
  readonly timestamp: Hex | undefined;
}

/** The summary of a transaction's effects in words and units. */
export function Story(known: Known) {
  const { transaction, receipt, trace, traceError } = known;
  const failed = trace?.error !== undefined;
  return (
    <>
      <Panel title={receipt ? 'What happened' : 'What it would do'}>
        <Sentence transaction={transaction} receipt={receipt} trace={trace} />
        {receipt && !failed && <Swap {...known} />}
        {receipt && <Glance {...known} receipt={receipt} />}
      </Panel>
      {trace && failed && <Failure hash={transaction.hash} root={trace} />}
      {traceError && <Waiting error={traceError} />}
      {receipt && (trace || traceError) ? (
        <Effects {...known} receipt={receipt} />
      ) : (
        <Lifecycle events={known.events} />
      )}
      <Input transaction={transaction} />
      {receipt && receipt.logs.length > 0 && (
        <Panel title={plural(receipt.logs.length, 'event')}>
          <Logs logs={receipt.logs} />
        </Panel>
      )}
      <Facts {...known} />
    </>
  );
}

/** Block, time, gas and fee. */
function Glance({ transaction, receipt, timestamp }: Known & { receipt: Receipt }) {
  const now = useNow();
  const { gasUsed, blockNumber } = receipt;
  return (
    <p class="glance">
      <span>
        block <BlockLink number={blockNumber} />
      </span>
      {timestamp && (
        <span>
          <b>{ago(timestamp, now)}</b>, {time(timestamp)}
        </span>
      )}
      <span>
        <b>{count(gasUsed)}</b> gas, {percent(Number(gasUsed) / Math.max(1, Number(transaction.gas)))} of its
        limit
      </span>
      <span>
        fee <b>{etherText(feeOf(receipt))}</b>
      </span>
    </p>
  );
}

function transfersOf({ receipt, trace }: Pick<Known, 'receipt' | 'trace'>) {
  return [...(trace ? etherTransfers(trace) : []), ...tokenTransfers(receipt?.logs ?? [])];
}

function Swap(known: Known) {
  const sender = known.transaction.from.toLowerCase() as Hex;
  const swap = swapIn(changesOf(transfersOf(known)), sender);
  if (!swap) return null;
  const { given, got } = swap;
  return (
    <p>
      In effect it swapped <b>{amountOf({ ...given, amount: -given.amount })}</b> for <b>{amountOf(got)}</b>.
    </p>
  );
}

const MAX_TRANSFERS = 10;

/** The transfers, and the balance changes of each account. */
function Effects(known: Known & { receipt: Receipt }) {
  const { receipt, transaction } = known;
  const transfers = transfersOf(known);
  const sender = transaction.from.toLowerCase() as Hex;
  const changes = changesOf(transfers);
  const holders = [...new Set([sender, ...changes.map(({ holder }) => holder)])];
  const [all, setAll] = useState(false);
  const most = all ? Number.POSITIVE_INFINITY : MAX_TRANSFERS;
  const hidden = Math.max(transfers.length, holders.length) - most;
  const lifecycle = <Lifecycle events={known.events} />;
  return (
    <>
      <div class="columns-2">
        {transfers.length > 0 && (
          <Panel title="Transfers">
            <ul class="transfers">
              {transfers.slice(0, most).map((transfer, i) => (
                <li key={i}>
                  <Address value={transfer.from} />
                  <span class="arrow">→</span>
                  <Address value={transfer.to} />
                  <b>{amountOf(transfer)}</b>
                </li>
              ))}
            </ul>
            {hidden > 0 && (
              <p style={{ marginTop: '8px' }}>
                <button type="button" onClick={() => setAll(true)}>
                  Show all {plural(transfers.length, 'transfer')}
                </button>
              </p>
            )}
          </Panel>
        )}
        <Panel title="Balance changes">
          <ul class="transfers">
            {holders.slice(0, most).map((holder) => (
              <li key={holder}>
                <Address value={holder} />
                <b class="row">
                  {changes
                    .filter((change) => change.holder === holder)
                    .map((change) => (
                      <Signed key={`${change.token} ${change.id}`} change={change} />
                    ))}
                  {holder === sender && <span class="dim">−{etherText(feeOf(receipt))} fee</span>}
                </b>
              </li>
            ))}
          </ul>
        </Panel>
        {transfers.length === 0 && lifecycle}
      </div>
      {transfers.length > 0 && lifecycle}
    </>
  );
}

/** Numbers of the calls shown at the beginning and at the end of a long trail. */
const TRAIL = { first: 2, last: 4 };

/** The calls from the transaction's own call to the one that failed: `Multicall3.aggregate › Counter.setNumber(value 5)`. */
function Trail({ path }: { path: readonly Frame[] }) {
  const left = path.length - TRAIL.first - TRAIL.last;
  const steps = path.flatMap((frame, i) => {
    if (left > 1 && i >= TRAIL.first && i < TRAIL.first + left)
      return i === TRAIL.first ? [<span class="dim">{plural(left, 'more call')}</span>] : [];
    return [<Step frame={frame} isLast={i === path.length - 1} />];
  });
  return (
    <ol class="trail" aria-label="The calls that led there">
      {steps.map((step, i) => (
        <li key={i}>
          {i > 0 && (
            <span class="arrow" aria-hidden="true">
              ›
            </span>
          )}
          {step}
        </li>
      ))}
    </ol>
  );
}

function Step({ frame: { type, to, input }, isLast }: { frame: Frame; isLast: boolean }) {
  if (/^CREATE/.test(type)) return <span>the constructor of a new contract</span>;
  const decoded = decoder.value?.call(input, sourceOf(to));
  const said = !decoded ? input.slice(0, 10) : isLast ? callText(decoded, input, to) : decoded.name;
  return (
    <>
      <Address value={to} /> {input.length > 2 && <b>{said}</b>}
    </>
  );
}

/** The innermost failed call, which made the outer ones fail. */
function Failure({ hash, root }: { hash: Hex; root: Frame }) {
  const path = failingPath(root);
  const frame = path.at(-1) ?? root;
  const data = frame.output ?? '0x';
  const decoded = decoder.value?.error(data, sourceOf(frame.to));
  return (
    <section class="panel failure" aria-label="Why it failed">
      <header>
        <h2>Why it failed</h2>
        <a class="small" href={`#/tx/${hash}/calls`}>
          All calls
        </a>
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
          <Arguments args={decoded.args} context={{ of: decoded.name, contract: frame.to }} />
        </>
      ) : (
        <p>
          <b class="bad">{frame.revertReason ?? frame.error}</b>{' '}
          {data.length > 2 && <Long value={data} shown={66} />}
        </p>
      )}
      <Trail path={path} />
    </section>
  );
}

function Facts({ transaction: tx, receipt, timestamp }: Known) {
  const now = useNow();
  return (
    <Panel title="Details">
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
        {timestamp && (
          <Fact name="time">
            {time(timestamp)} <span class="dim">{ago(timestamp, now)}</span>
          </Fact>
        )}
        <Fact name="from">
          <Address value={tx.from} full />
        </Fact>
        <Fact name="to">
          {tx.to ? (
            <Address value={tx.to} full />
          ) : receipt?.contractAddress ? (
            <Address value={receipt.contractAddress} full />
          ) : (
            'a new contract'
          )}
        </Fact>
        <Fact name="value">{etherText(tx.value, 18)}</Fact>
        {receipt && <Fact name="transaction fee">{etherText(feeOf(receipt), 18)}</Fact>}
        {receipt ? (
          <Fact name="gas used">
            {count(receipt.gasUsed)} of {count(tx.gas)}
          </Fact>
        ) : (
          <Fact name="gas limit">{count(tx.gas)}</Fact>
        )}
        <Fact name="gas price">
          {receipt && `${gwei(receipt.effectiveGasPrice)} gwei`}
          {tx.maxFeePerGas && (
            <span class="dim">
              {' '}
              max fee {gwei(tx.maxFeePerGas)} gwei, max priority fee {gwei(tx.maxPriorityFeePerGas ?? '0x0')}{' '}
              gwei
            </span>
          )}
        </Fact>
        <Fact name="nonce">{count(tx.nonce)}</Fact>
        <Fact name="type">{typeName(tx.type)}</Fact>
        {store.outcomes.of(tx.hash) === undefined && receipt && receipt.status === undefined && (
          <Fact name="status">none before Byzantium</Fact>
        )}
      </dl>
    </Panel>
  );
}

function Input({ transaction: { input, to } }: { transaction: Transaction }) {
  if (input === '0x') return null;
  const decoded = to ? decoder.value?.call(input, sourceOf(to)) : undefined;
  return (
    <Panel
      title={decoded && !decoded.broken ? `Called: ${decoded.name}` : to ? 'Input' : 'Init code'}
      aside={<span class="dim small">{plural((input.length - 2) / 2, 'byte')}</span>}
    >
      {decoded && !decoded.broken && (
        <Arguments args={decoded.args} context={{ of: decoded.name, contract: to }} />
      )}
      {decoded?.broken && (
        <p>
          <Broken name={decoded.name} raw={input} />
        </p>
      )}
      {!decoded && to && hasAbis.value && (
        <p class="dim">No ABI is known for {input.slice(0, 10)}: drop the contract's ABI on this page.</p>
      )}
      {!decoded && <Long value={input} />}
    </Panel>
  );
}
