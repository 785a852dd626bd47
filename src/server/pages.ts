import type { Page } from './http.ts';
import type { MetricsFacts } from './metrics.ts';

/** Pages for those who watch over the node: `/healthz` and `/metrics`. */
export function statusPages(facts: () => MetricsFacts): ReadonlyMap<string, () => Page | Promise<Page>> {
  return new Map<string, () => Page | Promise<Page>>([
    ['/healthz', () => ({ type: 'text/plain; charset=utf-8', text: 'ok\n' })],
    // Loaded when the first scraper asks: most nodes are never measured.
    ['/metrics', async () => (await import('./metrics.ts')).renderMetrics(facts())],
  ]);
}
