import type { Page } from './http.ts';
import type { MetricsFacts } from './metrics.ts';

/** The monitoring pages `/healthz` and `/metrics`. */
export function statusPages(facts: () => MetricsFacts): ReadonlyMap<string, () => Page | Promise<Page>> {
  return new Map<string, () => Page | Promise<Page>>([
    ['/healthz', () => health(facts())],
    // Loaded at the first request, because most nodes are never monitored.
    ['/metrics', async () => (await import('./metrics.ts')).renderMetrics(facts())],
  ]);
}

/** Reports whether the node's data is up to date, as far as the node can know. */
function health({ member, followed }: MetricsFacts): Page {
  const problem = (member ?? followed)?.problem ?? null;
  const type = 'text/plain; charset=utf-8';
  return problem === null ? { type, text: 'ok\n' } : { status: 503, type, text: `${problem}\n` };
}
