import { useEffect, useRef, useState } from 'preact/hooks';
import { paused, rpc, store } from '../app.ts';
import { count, milliseconds } from '../format.ts';
import { type Route, route } from '../route.ts';
import { Icon } from './icon.tsx';
import { Search } from './search.tsx';

type Entry = readonly [href: string, text: string, page: Route['page']];

const MAIN: readonly Entry[] = [
  ['#/', 'Live', 'live'],
  ['#/blocks', 'Blocks', 'blocks'],
  ['#/transactions', 'Transactions', 'transactions'],
  ['#/accounts', 'Accounts', 'accounts'],
  ['#/contracts', 'Contracts', 'contracts'],
  ['#/simulate', 'Simulate', 'simulate'],
  ['#/control', 'Control', 'control'],
];

const MORE: readonly Entry[] = [
  ['#/mempool', 'Mempool', 'mempool'],
  ['#/logs', 'Logs', 'logs'],
  ['#/difference', 'Difference', 'difference'],
  ['#/node', 'Node', 'node'],
];

/** The page's header in one row: links to the pages, the search, and the chain's state. On a narrow screen the links are in a menu. */
export function Header() {
  const { page } = route.value;
  return (
    <header class="head">
      <a class="brand" href="#/" aria-label="devnet">
        <svg class="svg" viewBox="0 0 20 20" aria-hidden="true">
          <path fill="currentColor" d="M1 12h4v7H1zM6 8h4v11H6zM11 4h4v15h-4zM16 1h3v18h-3z" />
        </svg>
        <span>devnet</span>
      </a>
      <nav aria-label="Pages">
        {MAIN.map((entry) => (
          <NavLink key={entry[0]} entry={entry} page={page} />
        ))}
      </nav>
      <Menu page={page} />
      <Search />
      <State />
    </header>
  );
}

function NavLink({
  entry: [href, text, name],
  page,
  class: more,
}: {
  entry: Entry;
  page: Route['page'];
  class?: string;
}) {
  return (
    <a href={href} class={more} aria-current={name === page ? 'page' : undefined}>
      {text}
    </a>
  );
}

function Menu({ page }: { page: Route['page'] }) {
  const [open, setOpen] = useState(false);
  const root = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!open) return;
    const close = (event: Event) => {
      const isInside = event.type !== 'hashchange' && root.current?.contains(event.target as Node);
      if (!isInside || (event as KeyboardEvent).key === 'Escape') setOpen(false);
    };
    const events = ['pointerdown', 'keydown', 'focusin', 'hashchange'] as const;
    for (const name of events) addEventListener(name, close);
    return () => {
      for (const name of events) removeEventListener(name, close);
    };
  }, [open]);
  return (
    <div class="more" ref={root}>
      <button type="button" aria-expanded={open} aria-controls="pages" onClick={() => setOpen(!open)}>
        <Icon name="menu" />
        <span class="sr">All pages</span>
      </button>
      {open && (
        <div class="menu" id="pages">
          {MAIN.map((entry) => (
            <NavLink key={entry[0]} entry={entry} page={page} class="wide-only" />
          ))}
          {MORE.map((entry) => (
            <NavLink key={entry[0]} entry={entry} page={page} />
          ))}
        </div>
      )}
    </div>
  );
}

const LIGHT = { open: 'connected', connecting: 'connecting', closed: 'the node is away; connecting again' };

/** The newest block, the mode, the connection, and the pause button. */
function State() {
  const status = store.status.value;
  const head = store.sealed.value.at(-1);
  const connection = rpc.state.value;
  return (
    <div class="state">
      {head && (
        <a class="block" href={`#/block/${Number(head.number)}`} title="the newest block">
          <span class="word dim">block </span>
          {count(head.number)}
        </a>
      )}
      {status && (
        <span class="mode dim small" title={paceText(status)}>
          {modeText(status)}
        </span>
      )}
      <span class={`light ${connection}`} role="status">
        <span>{LIGHT[connection]}</span>
      </span>
      <button
        type="button"
        class="icon"
        aria-pressed={paused.value}
        title={paused.value ? 'Resume' : 'Pause'}
        onClick={() => (paused.value = !paused.value)}
      >
        <Icon name={paused.value ? 'play' : 'pause'} />
        <span class="sr">{paused.value ? 'Resume' : 'Pause'}</span>
      </button>
    </div>
  );
}

type Status = NonNullable<typeof store.status.value>;

/** The intervals of blocks and flashblocks. */
export function paceOf({ role, mode }: Status): { blocks: string; flashblocks: string } {
  const other = role === 'follower' ? 'as the other node' : 'none';
  if (!('blockTime' in mode)) return { blocks: role === 'follower' ? other : mode.kind, flashblocks: other };
  const { blockTime, longestBlockTime, flashblockInterval } = mode;
  const longest = longestBlockTime === undefined ? '' : ` to ${longestBlockTime / 1_000}`;
  return {
    blocks: `every ${blockTime / 1_000}${longest} s`,
    flashblocks: flashblockInterval > 0 ? `every ${milliseconds(flashblockInterval)}` : other,
  };
}

/** The intervals of blocks and flashblocks in one sentence. */
export function paceText(status: Status): string {
  const { blocks, flashblocks } = paceOf(status);
  const clock = status.mode.manualClock ? ', manual clock' : '';
  return `blocks: ${blocks}, flashblocks: ${flashblocks}${clock}`;
}

/** The mining mode in a few words. */
export function modeText({ role, mode }: Status): string {
  if (role === 'follower') return 'follows another node';
  const clock = mode.manualClock ? ', manual clock' : '';
  if (!('blockTime' in mode)) return `${mode.kind}${clock}`;
  const flashblocks = mode.flashblockInterval > 0 ? ` / ${milliseconds(mode.flashblockInterval)}` : '';
  return `${mode.blockTime / 1_000} s${flashblocks}${clock}`;
}
