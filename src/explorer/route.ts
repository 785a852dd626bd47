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

/** The page and its parameters, from the URL's hash after `#/`. */
export interface Route {
  readonly page: 'live' | (typeof PAGES)[number];
  readonly args: readonly string[];
  /** the fields after the question mark */
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

/** Decodes a part of the URL. A user may have typed it, so that it may be malformed. */
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

/** The URL of a page with query fields; empty fields are left out. */
export function linkTo(path: string, fields: Readonly<Record<string, string | undefined>>): string {
  const given = Object.entries(fields).filter(([, value]) => value);
  const query = new URLSearchParams(given as [string, string][]).toString();
  return `#/${path}${query ? `?${query}` : ''}`;
}
