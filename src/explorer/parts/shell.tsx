import { signal } from '@preact/signals';
import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { addFiles, dropNews } from '../abi/contracts.ts';
import { rpc, store } from '../app.ts';
import { plural } from '../format.ts';
import { Live } from '../pages/live.tsx';
import { type PAGES, route } from '../route.ts';
import { loadDebugger } from '../source/load.ts';
import { Header } from './header.tsx';
import { Waiting } from './values.tsx';

type Name = (typeof PAGES)[number];
type Loaded = ComponentType<{ args: readonly string[] }>;

/** Loaders of the pages. Only the live page is part of the first load. */
const LOAD: Readonly<Record<Name, () => Promise<Loaded>>> = {
  block: () => import('../pages/block.tsx').then((it) => it.BlockPage),
  blocks: () => import('../pages/blocks.tsx').then((it) => it.BlocksPage),
  tx: () => import('../pages/transaction.tsx').then((it) => it.TransactionPage),
  transactions: () => import('../pages/transactions.tsx').then((it) => it.TransactionsPage),
  address: () => import('../pages/address.tsx').then((it) => it.AddressPage),
  accounts: () => import('../pages/accounts.tsx').then((it) => it.AccountsPage),
  contracts: () => import('../pages/contracts.tsx').then((it) => it.ContractsPage),
  logs: () => import('../pages/logs.tsx').then((it) => it.LogsPage),
  mempool: () => import('../pages/mempool.tsx').then((it) => it.MempoolPage),
  difference: () => import('../pages/difference.tsx').then((it) => it.DifferencePage),
  simulate: () => import('../pages/simulate.tsx').then((it) => it.SimulatePage),
  control: () => import('../pages/control.tsx').then((it) => it.ControlPage),
  node: () => import('../pages/node.tsx').then((it) => it.NodePage),
};

/**
 * Loads the files that the page of a failed transaction needs, while the browser has nothing else to do: whoever clicks on a failed
 * transaction waits for its source line. The debugger comes last, since it is large, and the page asks the node before it needs it.
 */
export function loadInIdleTime(): void {
  // Safari has no idle callbacks.
  const idle = () => new Promise((resolve) => void (globalThis.requestIdleCallback ?? setTimeout)(resolve));
  const load = async () => {
    for (const part of [LOAD.tx, loadDebugger]) {
      await idle();
      await part();
    }
  };
  load().catch(() => {
    // Loaded again, with the error shown, when the page is opened.
  });
}

const pages = signal<Partial<Record<Name, Loaded>>>({});
const failed = signal('');

/** Header, the page that the URL names, and footer. */
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
      <Header />
      <main
        id="main"
        tabIndex={-1}
        class={rpc.state.value === 'open' ? '' : 'stale'}
        aria-busy={Shown === undefined}
      >
        {Shown ? (
          <Shown key={`${page}/${args[0] ?? ''}`} args={args} />
        ) : (
          <Waiting error={failed.value || undefined} />
        )}
      </main>
      <Foot />
    </div>
  );
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
