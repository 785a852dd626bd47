import { useState } from 'preact/hooks';
import { decoder } from '../abi/contracts.ts';
import { rpc, store } from '../app.ts';
import { preconfirms } from '../data/feed.ts';
import type { Flash } from '../data/store.ts';
import type { Block, Hex } from '../data/types.ts';
import { count, ether, gwei, mebibytes, milliseconds, percent, plural, short } from '../format.ts';
import { Chart, niceTop } from '../parts/chart.tsx';
import { Address, BlockLink, Call, Copy, Fact, Panel, Table, TxLink } from '../parts/values.tsx';

/** The chain as it grows. */
export function Live() {
  const status = store.status.value;
  if (!status) return <p class="dim">waiting for the node …</p>;
  const flashes = preconfirms(status);
  return (
    <div class="live">
      <h1 class="sr">Live</h1>
      {store.recent.value.length === 0 && <Welcome chainId={status.chainId} />}
      {flashes ? <PendingBlock /> : <NewestBlock />}
      {flashes ? <FlashStrip /> : <BlockStrip />}
      <Charts />
      {store.recent.value.length > 0 && <Recent />}
    </div>
  );
}

function PendingBlock() {
  const pending = store.pending.value;
  const mode = store.status.value!.mode;
  const steps = 'blockTime' in mode ? ` of ${Math.ceil(mode.blockTime / mode.flashblockInterval)}` : '';
  const block = pending?.block;
  return (
    <Panel
      title={block ? `Block ${count(block.number)} is being built` : 'The next block is being built'}
      aside={
        <a href="#/block/pending">
          flashblock {pending?.index ?? '…'}
          {steps}
        </a>
      }
    >
      <BlockFacts block={block} hashName="partial hash" />
    </Panel>
  );
}

function NewestBlock() {
  const block = store.sealed.value.at(-1);
  return (
    <Panel title={block ? `Block ${count(block.number)} is the newest` : 'No block yet'}>
      <BlockFacts block={block} hashName="hash" />
    </Panel>
  );
}

function BlockFacts({ block, hashName }: { block: Block | undefined; hashName: string }) {
  const [used, limit] = [Number(block?.gasUsed ?? 0), Number(block?.gasLimit ?? 1)];
  return (
    <>
      <div class="fill" role="img" aria-label={`${percent(used / limit)} of the gas limit used`}>
        <div style={{ width: `${(100 * used) / limit}%` }} />
      </div>
      <dl class="figures">
        <Fact name="gas">
          <b>{count(used)}</b> <span class="dim">{percent(used / limit)}</span>
        </Fact>
        <Fact name="transactions">
          <b>{count(block?.transactions.length ?? 0)}</b>
        </Fact>
        <Fact name="base fee">
          <b>{block ? gwei(block.baseFeePerGas ?? '0x0') : '–'}</b> gwei
        </Fact>
        <Fact name={hashName}>
          <code title={block?.hash}>{block ? short(block.hash, 6) : '–'}</code>
        </Fact>
      </dl>
    </>
  );
}

/** Flashblocks that are joined to a block. */
function FlashStrip() {
  const groups = new Map<number, Flash[]>();
  for (const flash of store.flashes.value)
    groups.set(flash.block, [...(groups.get(flash.block) ?? []), flash]);
  const head = Number(store.sealed.value.at(-1)?.number ?? -1);
  const top = niceTop(Math.max(100_000, ...store.flashes.value.map(({ gas }) => gas)));
  const late = store.flashes.value.filter((flash) => flash.late).length;
  return (
    <Panel title="Flashblocks" aside={<Key top={top} late />}>
      <div
        class="strip"
        role="img"
        aria-label={`the newest ${plural(store.flashes.value.length, 'flashblock')}, ${count(late)} of them late`}
      >
        {groups.size === 0 && <p class="dim">none since this page was opened</p>}
        {[...groups].map(([number, flashes]) => (
          <div key={number} class={number <= head ? 'group sealed' : 'group'}>
            <div class="bars">
              {flashes.map(({ index, gas, transactions, late }, i) => (
                <div
                  key={i}
                  class={late ? 'bar late' : 'bar'}
                  title={`${number}.${index}: ${plural(transactions, 'transaction')}, ${count(gas)} gas${late ? ', late' : ''}`}
                  style={{ height: `${Math.max(2, (100 * gas) / top)}%` }}
                />
              ))}
            </div>
            <span>{count(number)}</span>
          </div>
        ))}
      </div>
    </Panel>
  );
}

function BlockStrip() {
  const blocks = store.sealed.value;
  const top = niceTop(Math.max(100_000, ...blocks.map(({ gasUsed }) => Number(gasUsed))));
  return (
    <Panel title="Blocks" aside={<Key top={top} />}>
      <div class="strip" role="img" aria-label={`the newest ${plural(blocks.length, 'block')}`}>
        {blocks.map(({ number, gasUsed, transactions }) => (
          <div key={number} class="group sealed single">
            <div class="bars">
              <div
                class="bar"
                title={`block ${count(number)}: ${plural(transactions.length, 'transaction')}, ${count(gasUsed)} gas`}
                style={{ height: `${Math.max(2, (100 * Number(gasUsed)) / top)}%` }}
              />
            </div>
            <span>{count(number)}</span>
          </div>
        ))}
      </div>
    </Panel>
  );
}

function Key({ top, late }: { top: number; late?: boolean }) {
  return (
    <span class="key dim">
      full height {count(top)} gas{late && ' · joined when sealed'}
      {late && (
        <>
          {' · '}
          <span class="bar late" /> late
        </>
      )}
    </span>
  );
}

function Recent() {
  const known = decoder.value;
  return (
    <Panel title="Newest transactions">
      <Table label="Newest transactions" head={['hash', 'block', 'from', 'to', 'what', '#ETH']}>
        {store.recent.value.slice(0, 12).map(({ transaction, block, flashblock }) => (
          <tr key={transaction.hash}>
            <td>
              <TxLink hash={transaction.hash} />
            </td>
            <td>
              <BlockLink number={block}>
                {count(block)}
                {flashblock !== undefined && `.${flashblock}`}
              </BlockLink>
            </td>
            <td>
              <Address value={transaction.from} />
            </td>
            <td>
              <Address value={transaction.to} />
            </td>
            <td class="what">
              {transaction.to ? (
                <Call decoded={known?.call(transaction.input)} raw={transaction.input} />
              ) : (
                <span class="dim">{plural((transaction.input.length - 2) / 2, 'byte')} of init code</span>
              )}
            </td>
            <td class="number">{ether(transaction.value)}</td>
          </tr>
        ))}
      </Table>
    </Panel>
  );
}

/** For a chain on which nothing has happened. */
function Welcome({ chainId }: { chainId: Hex }) {
  const [answer, setAnswer] = useState<{ hash?: Hex; error?: string }>({});
  const send = async () => {
    try {
      const [from, to] = await rpc.call<Hex[]>('eth_accounts');
      if (!from) throw new Error('the node has no accounts of its own');
      const value = '0x2386f26fc10000';
      setAnswer({ hash: await rpc.call<Hex>('eth_sendTransaction', { from, to: to ?? from, value }) });
    } catch (error) {
      setAnswer({ error: (error as Error).message });
    }
  };
  return (
    <Panel title="No transactions yet">
      <p>Connect an app or a wallet to this chain, or send a transaction from here.</p>
      <dl class="facts">
        <Fact name="URL">
          <code>{location.origin}</code> <Copy text={location.origin} label="copy URL" />
        </Fact>
        <Fact name="chain id">
          <code>{Number(chainId)}</code> <Copy text={String(Number(chainId))} label="copy chain id" />
        </Fact>
      </dl>
      <p>
        <button type="button" onClick={send}>
          Send a test transaction
        </button>{' '}
        <span role="status">
          {answer.hash && (
            <>
              sent: <TxLink hash={answer.hash} />
            </>
          )}
          {answer.error && <span class="bad">{answer.error}</span>}
          {!answer.hash && !answer.error && (
            <span class="dim">0.01 ETH from the first dev account to the second</span>
          )}
        </span>
      </p>
    </Panel>
  );
}

function Charts() {
  const status = store.status.value!;
  const { ticks, mempool, memory, mode } = status;
  const seconds = 'blockTime' in mode;
  const flashes = store.flashes.value;
  const gas = preconfirms(status)
    ? flashes.filter(({ index }) => index !== 0).map((flash) => flash.gas)
    : store.sealed.value.map(({ gasUsed }) => Number(gasUsed));
  return (
    <Panel
      title="Timing"
      aside={
        <span class="dim">
          {seconds &&
            `drift p50 ${milliseconds(ticks.driftMs.p50)}, p99 ${milliseconds(ticks.driftMs.p99)} · `}
          {plural(mempool, 'transaction')} waiting · {mebibytes(memory.rss)}
        </span>
      }
    >
      <div class="charts">
        {seconds && (
          <>
            <Chart
              title="tick drift"
              unit="ms"
              least={5}
              values={ticks.recent.map(({ drift }) => drift)}
              format={oneDigit}
            />
            <Chart
              title="execution time"
              unit="ms"
              least={5}
              values={ticks.recent.map(({ length }) => length)}
              format={oneDigit}
            />
          </>
        )}
        <Chart
          title={preconfirms(status) ? 'gas per flashblock' : 'gas per block'}
          unit="gas"
          least={100_000}
          slots={preconfirms(status) ? 80 : 30}
          values={gas}
          format={(value) => count(Math.round(value))}
        />
      </div>
    </Panel>
  );
}

function oneDigit(value: number): string {
  return value >= 10 ? String(Math.round(value)) : value.toFixed(1);
}
