import type { Page } from './http.ts';
import type { MetricsFacts } from './metrics.ts';

/** The monitoring pages `/healthz` and `/metrics`. */
export function statusPages(facts: () => MetricsFacts): ReadonlyMap<string, () => Page | Promise<Page>> {
  return new Map<string, () => Page | Promise<Page>>([
    ['/healthz', () => ({ type: 'text/plain; charset=utf-8', text: 'ok\n' })],
    // Loaded with the first request, because most nodes are never monitored.
    ['/metrics', async () => (await import('./metrics.ts')).renderMetrics(facts())],
  ]);
}
