import { signal } from '@preact/signals';
import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { addFiles, dropNews } from '../abi/contracts.ts';
import { paused, rpc, store } from '../app.ts';
import { count, milliseconds, plural } from '../format.ts';
import { Live } from '../pages/live.tsx';
import { type PAGES, type Route, route } from '../route.ts';
import { Search } from './search.tsx';

type Name = (typeof PAGES)[number];
type Loaded = ComponentType<{ args: readonly string[] }>;

/** All but the first page are loaded when they are asked for. */
const LOAD: Readonly<Record<Name, () => Promise<Loaded>>> = {
  block: () => import('../pages/block.tsx').then((it) => it.BlockPage),
  tx: () => import('../pages/transaction.tsx').then((it) => it.TransactionPage),
  address: () => import('../pages/address.tsx').then((it) => it.AddressPage),
  accounts: () => import('../pages/accounts.tsx').then((it) => it.AccountsPage),
  logs: () => import('../pages/logs.tsx').then((it) => it.LogsPage),
  mempool: () => import('../pages/mempool.tsx').then((it) => it.MempoolPage),
  difference: () => import('../pages/difference.tsx').then((it) => it.DifferencePage),
  simulate: () => import('../pages/simulate.tsx').then((it) => it.SimulatePage),
  control: () => import('../pages/control.tsx').then((it) => it.ControlPage),
};

const NAV: readonly (readonly [href: string, text: string, page: Route['page']])[] = [
  ['#/', 'Live', 'live'],
  ['#/accounts', 'Accounts', 'accounts'],
  ['#/logs', 'Logs', 'logs'],
  ['#/mempool', 'Mempool', 'mempool'],
  ['#/difference', 'Difference', 'difference'],
  ['#/simulate', 'Simulate', 'simulate'],
  ['#/control', 'Control', 'control'],
];

const pages = signal<Partial<Record<Name, Loaded>>>({});
const failed = signal('');

/** Head, navigation and the page that the address names. */
export function Shell() {
  const { page, args } = route.value;
  const [dragging, setDragging] = useState(false);
  useEffect(() => {
    document.title = `${page === 'live' ? 'Live' : page} ${args[0] ?? ''} · devnet`;
    if (page === 'live' || pages.peek()[page]) return;
    LOAD[page]().then(
      (loaded) => {
        pages.value = { ...pages.peek(), [page]: loaded };
      },
      (error: Error) => {
        failed.value = error.message;
      },
    );
  }, [page, args.join()]);
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setDragging(false);
    void addFiles(event.dataTransfer?.files ?? []);
  };
  const Shown = page === 'live' ? Live : pages.value[page];
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: files may be dropped anywhere; the button in the foot does the same
    <div
      class={dragging ? 'shell dragging' : 'shell'}
      onDragOver={(event) => {
        event.preventDefault();
        setDragging(true);
      }}
      onDragLeave={() => setDragging(false)}
      onDrop={drop}
    >
      <button type="button" class="skip" onClick={() => document.getElementById('main')?.focus()}>
        Skip to content
      </button>
      <header class="head">
        <a class="brand" href="#/">
          devnet
        </a>
        <nav aria-label="Pages">
          {NAV.map(([href, text, name]) => (
            <a key={href} href={href} aria-current={name === page ? 'page' : undefined}>
              {text}
            </a>
          ))}
        </nav>
        <Search />
        <State />
      </header>
      <main
        id="main"
        tabIndex={-1}
        class={rpc.state.value === 'open' ? '' : 'stale'}
        aria-busy={Shown === undefined}
      >
        {Shown ? (
          <Shown key={`${page}/${args.join()}`} args={args} />
        ) : (
          <p class="dim">{failed.value || '…'}</p>
        )}
      </main>
      <Foot />
    </div>
  );
}

const LIGHT = { open: 'connected', connecting: 'connecting', closed: 'the node is away; connecting again' };

/** Numbers of head and pending block, mode, connection, and the pause button. */
function State() {
  const status = store.status.value;
  const head = store.sealed.value.at(-1);
  const pending = store.pending.value;
  const connection = rpc.state.value;
  return (
    <div class="state">
      <span>
        head{' '}
        {head ? (
          <a href={`#/block/${Number(head.number)}`}>{count(head.number)}</a>
        ) : (
          <span class="dim">–</span>
        )}
      </span>
      <span>
        pending <a href="#/block/pending">{pending ? count(pending.block.number) : 'next'}</a>
      </span>
      {status && <span>{modeText(status)}</span>}
      <span class={`light ${connection}`} role="status">
        {LIGHT[connection]}
      </span>
      <button type="button" aria-pressed={paused.value} onClick={() => (paused.value = !paused.value)}>
        {paused.value ? 'Resume' : 'Pause'}
      </button>
    </div>
  );
}

function modeText({ role, mode }: NonNullable<typeof store.status.value>): string {
  if (role === 'follower') return 'follows another node';
  const clock = mode.manualClock ? ', manual clock' : '';
  if (!('blockTime' in mode)) return `${mode.kind}${clock}`;
  const flashblocks = mode.flashblockInterval > 0 ? ` / ${milliseconds(mode.flashblockInterval)}` : '';
  return `${mode.kind} ${mode.blockTime / 1_000} s${flashblocks}${clock}`;
}

function Foot() {
  const status = store.status.value;
  const choose = (event: Event) => {
    const input = event.currentTarget as HTMLInputElement;
    void addFiles(input.files ?? []).then(() => {
      input.value = '';
    });
  };
  return (
    <footer>
      <label class="file">
        Add ABI files
        <input type="file" multiple accept=".json" onChange={choose} />
      </label>
      <span role="status">
        {dropNews.value || 'or drop them anywhere: artifacts of Hardhat or Foundry, or plain ABIs'}
      </span>
      {status && (
        <span class="end">
          chain {Number(status.chainId)} · {status.role} · {plural(status.subscriptions, 'subscription')}
          {status.recording && ' · recording'}
        </span>
      )}
    </footer>
  );
}
