import { useState } from 'preact/hooks';
import type { TransactionStatus } from '../../rpc/read/transaction-status.ts';
import { rpc, store } from '../app.ts';
import { searchTransactions } from '../data/history.ts';
import { variablesOf } from '../data/state-variables.ts';
import type { Frame, Hex, Receipt, Transaction } from '../data/types.ts';
import { CallTree } from '../parts/call-tree.tsx';
import { Icon } from '../parts/icon.tsx';
import { type AccountPart, PrestateDiff } from '../parts/prestate-diff.tsx';
import { Tabs } from '../parts/tabs.tsx';
import { useRemote } from '../parts/use-remote.ts';
import { Copy, Panel, Waiting } from '../parts/values.tsx';
import { linkTo } from '../route.ts';
import { loadDebugger } from '../source/load.ts';
import type { Execution } from '../source/types.ts';
import { Lifecycle } from '../transaction/lifecycle.tsx';
import { PreconfirmedButtons } from '../transaction/preconfirmed.tsx';
import { Raw } from '../transaction/raw.tsx';
import { Story } from '../transaction/story.tsx';
import { WaitingPanel } from '../transaction/waiting.tsx';

type Tab = 'story' | 'source' | 'calls' | 'state' | 'raw';

/** Changes whenever the status of a transaction that isn't in a block may have changed. */
function momentOfPool(): string {
  return `${store.pending.value?.block.hash} ${store.sealed.value.at(-1)?.hash} ${store.status.value?.mempool}`;
}

/** The page of a transaction: its status and its effects. */
export function TransactionPage({ args: [hash = '', asked] }: { args: readonly string[] }) {
  const id = hash as Hex;
  void store.lifecycles.version.value;
  const seen = store.lifecycles.of(id);
  // The key changes, and the transaction is fetched again, with each event of the transaction.
  const key = `${hash} ${seen.length} ${seen.length === 0 ? store.sealed.value.at(-1)?.hash : ''}`;
  const found = useRemote(key, () => rpc.call<Transaction | null>('eth_getTransactionByHash', id));
  const receipt = useRemote(key, () => rpc.call<Receipt | null>('eth_getTransactionReceipt', id));
  const place = receipt.value?.blockHash ?? '';
  const status = useRemote(`${key} ${receipt.value?.blockNumber ? '' : momentOfPool()}`, () =>
    rpc.call<TransactionStatus>('devnet_transactionStatus', id),
  );
  const { events = [] } = status.value ?? {};
  const hasFailed = receipt.value?.status === '0x0';
  const wantsSteps = place !== '' && (hasFailed || asked === 'source');
  const execution = useRemote(`${hash} ${wantsSteps && place}`, async () => {
    if (!wantsSteps) return null;
    const [answer, Shown] = await Promise.all([rpc.call<Execution>('devnet_execution', id), loadDebugger()]);
    return { answer, Shown };
  });
  const isLooking = wantsSteps && !execution.value && !execution.error;
  const isAtLine = hasFailed && execution.value?.answer.failure?.frames.some((it) => it.file) === true;
  const tab = asked ?? (isAtLine ? 'source' : 'story');
  // A failed transaction is opened at the failed line, if its source is known. Requests that this doesn't need come afterwards.
  const [lineShown, setLineShown] = useState('');
  const hasLine = tab === 'source' && execution.value != null && execution.value.answer.steps > 0;
  const afterwards = isLooking || (hasLine && lineShown !== hash) ? '' : place;
  const trace = useRemote(`${hash} ${afterwards}`, async () =>
    afterwards
      ? await rpc.call<Frame>('debug_traceTransaction', id, {
          tracer: 'callTracer',
          tracerConfig: { withLog: true },
        })
      : null,
  );
  const timestamp = useRemote(`${hash} ${afterwards}`, async () =>
    afterwards
      ? (await rpc.call<{ timestamp: Hex } | null>('eth_getBlockByHash', place, false))?.timestamp
      : undefined,
  );
  const transaction = found.value;
  // The tab to open depends on whether the transaction failed.
  if (found.loading || receipt.loading) return <Waiting error={found.error} />;
  const waits = transaction?.blockNumber === null;
  return (
    <>
      <div class="title">
        <h1>Transaction</h1>
        <State status={status.value} receipt={receipt.value} />
        <span class="row end">
          {transaction && status.value?.status === 'preconfirmed' && <PreconfirmedButtons hash={id} />}
          {receipt.value && afterwards !== '' && <Neighbours receipt={receipt.value} />}
          {transaction && (
            <a class="button" href={linkTo('simulate', { transaction: hash })}>
              Simulate again
            </a>
          )}
        </span>
      </div>
      <p class="subtitle">
        <code class="long">{hash}</code> <Copy text={hash} icon label="copy hash" />
      </p>
      {found.error && <Waiting error={found.error} />}
      {!transaction && !found.error && (
        <Panel title="Not found">
          <p>
            {!status.value || status.value.status === 'unknown'
              ? 'The node does not know this transaction.'
              : `The transaction is neither in a block of this chain nor in the mempool${status.value.reason ? `: ${status.value.reason}` : ''}.`}
          </p>
        </Panel>
      )}
      {!transaction && <Lifecycle events={events} />}
      {transaction && waits && (
        <WaitingPanel transaction={transaction} status={status.value} error={status.error} />
      )}
      {transaction && (
        <Tabs
          label="Parts of the transaction"
          path={`tx/${hash}`}
          tabs={[
            ...(isAtLine ? ([['source', 'Source']] as const) : []),
            ['story', 'Story'],
            ...(receipt.value
              ? ([
                  ...(isAtLine ? [] : ([['source', 'Source']] as const)),
                  ['calls', 'Calls'],
                  ['state', 'State'],
                ] as const)
              : []),
            ['raw', 'Raw'],
          ]}
          chosen={isLooking && !asked ? '' : tab}
        />
      )}
      {transaction && !asked && isLooking && <Waiting error={undefined} />}
      {transaction &&
        tab === 'source' &&
        receipt.value &&
        (execution.value ? (
          <execution.value.Shown
            key={place}
            receipt={receipt.value}
            execution={execution.value.answer}
            trace={trace.value}
            onLineShown={() => setLineShown(hash)}
          />
        ) : (
          <Waiting error={execution.error} />
        ))}
      {transaction && tab !== 'source' && (asked || !isLooking) && (
        <Part
          tab={tab as Tab}
          known={{
            transaction,
            receipt: receipt.value,
            trace: trace.value,
            traceError: trace.error,
            events,
            timestamp: timestamp.value,
          }}
        />
      )}
    </>
  );
}

function Part({ tab, known }: { tab: Tab; known: Parameters<typeof Story>[0] }) {
  const { transaction, receipt, trace, traceError } = known;
  if (tab === 'calls')
    return (
      <Panel title="Calls" aside={<span class="dim small">gas used, as a share of the whole</span>}>
        {trace ? <CallTree root={trace} /> : <Waiting error={traceError} />}
      </Panel>
    );
  if (tab === 'state') return <StateChanges hash={transaction.hash} place={receipt?.blockHash} />;
  if (tab === 'raw') return <Raw transaction={transaction} receipt={receipt} />;
  return <Story {...known} />;
}

function StateChanges({ hash, place }: { hash: Hex; place: Hex | undefined }) {
  const changes = useRemote(`${hash} ${place}`, async () => {
    const changed = await rpc.call<{ pre: Record<Hex, AccountPart>; post: Record<Hex, AccountPart> }>(
      'debug_traceTransaction',
      hash,
      {
        tracer: 'prestateTracer',
        tracerConfig: { diffMode: true },
      },
    );
    // A slot that was zero before is only in `post`.
    const written = [changed.pre, changed.post].flatMap((accounts) =>
      Object.entries(accounts).flatMap(([address, { storage }]) => (storage ? [address] : [])),
    );
    const variables = await variablesOf([...new Set(written)], place);
    return { ...changed, variables };
  });
  return (
    <Panel title="State changes">
      {changes.value ? <PrestateDiff {...changes.value} /> : <Waiting error={changes.error} />}
    </Panel>
  );
}

/** Links to the previous and the next transaction of the chain. */
function Neighbours({
  receipt: { blockNumber: block, transactionIndex: index, blockHash },
}: {
  receipt: Receipt;
}) {
  const head = store.sealed.value.at(-1)?.hash;
  const near = useRemote(`${blockHash} ${index} ${head}`, async () => {
    const place = { block, index };
    const [before, after] = await Promise.all([
      searchTransactions({ before: place, limit: 1 }),
      searchTransactions({ after: place, limit: 1 }),
    ]);
    return [before.transactions[0]?.hash, after.transactions[0]?.hash] as const;
  });
  const [before, after] = near.value ?? [];
  return (
    <>
      {before && (
        <a class="button" href={`#/tx/${before}`}>
          Previous
        </a>
      )}
      {after && (
        <a class="button" href={`#/tx/${after}`}>
          Next
        </a>
      )}
    </>
  );
}

function State({
  status,
  receipt,
}: {
  status: TransactionStatus | undefined;
  receipt: Receipt | null | undefined;
}) {
  const word = status?.status ?? 'unknown';
  if (!receipt && /^(?:dropped|replaced|reorged|refused)$/.test(word))
    return (
      <span class="badge bad">
        <Icon name="cross" />
        {word}
      </span>
    );
  if (!receipt)
    return (
      <span class="badge warn">
        <Icon name="clock" />
        {word === 'waiting' ? 'waiting' : 'unknown'}
      </span>
    );
  const head = store.sealed.value.at(-1);
  const isSealed = head && Number(receipt.blockNumber) <= Number(head.number);
  const failed = receipt.status === '0x0';
  return (
    <>
      <span class={failed ? 'badge bad' : 'badge good'}>
        <Icon name={failed ? 'cross' : 'check'} />
        {failed ? 'failed' : 'success'}
      </span>
      <span class={isSealed ? 'badge' : 'badge accent'}>{isSealed ? 'sealed' : 'pre-confirmed'}</span>
    </>
  );
}
