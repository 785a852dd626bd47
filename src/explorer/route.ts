import { computed, signal } from '@preact/signals';

export const PAGES = [
  'block',
  'blocks',
  'tx',
  'transactions',
  'address',
  'accounts',
  'contracts',
  'logs',
  'mempool',
  'difference',
  'simulate',
  'control',
  'node',
] as const;

/** What the page shows: the part of its address after `#/`. */
export interface Route {
  readonly page: 'live' | (typeof PAGES)[number];
  readonly args: readonly string[];
  /** what stands behind the question mark */
  readonly query: Readonly<Record<string, string>>;
}

const hash = signal(location.hash);
addEventListener('hashchange', () => {
  hash.value = location.hash;
});

export const route = computed<Route>(() => {
  const [path = '', query = ''] = hash.value.replace(/^#\/?/, '').split('?');
  const [name = '', ...args] = path.split('/').map(decode);
  const page = PAGES.find((it) => it === name);
  const fields = Object.fromEntries(new URLSearchParams(query));
  return page ? { page, args, query: fields } : { page: 'live', args: [], query: fields };
});

/** A part of the address that a user may have typed. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

export function go(...parts: readonly (string | number)[]): void {
  location.hash = `#/${parts.join('/')}`;
}

/** An address within the page with fields behind a question mark; empty ones are left out. */
export function linkTo(path: string, fields: Readonly<Record<string, string | undefined>>): string {
  const given = Object.entries(fields).filter(([, value]) => value);
  const query = new URLSearchParams(given as [string, string][]).toString();
  return `#/${path}${query ? `?${query}` : ''}`;
}
