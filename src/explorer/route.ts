import { computed, signal } from '@preact/signals';

export const PAGES = [
  'block',
  'tx',
  'address',
  'accounts',
  'logs',
  'mempool',
  'difference',
  'simulate',
  'control',
] as const;

/** What the page shows: the part of its address after `#/`. */
export interface Route {
  readonly page: 'live' | (typeof PAGES)[number];
  readonly args: readonly string[];
}

const hash = signal(location.hash);
addEventListener('hashchange', () => {
  hash.value = location.hash;
});

export const route = computed<Route>(() => {
  const [name = '', ...args] = hash.value.replace(/^#\/?/, '').split('/').map(decodeURIComponent);
  const page = PAGES.find((it) => it === name);
  return page ? { page, args } : { page: 'live', args: [] };
});

export function go(...parts: readonly (string | number)[]): void {
  location.hash = `#/${parts.join('/')}`;
}
