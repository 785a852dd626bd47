import type { Page } from './http.ts';
import type { MetricsFacts } from './metrics.ts';

/** The monitoring pages `/healthz` and `/metrics`. */
export function statusPages(facts: () => MetricsFacts): ReadonlyMap<string, () => Page | Promise<Page>> {
  return new Map<string, () => Page | Promise<Page>>([
    ['/healthz', () => health(facts())],
    // Loaded with the first request, because most nodes are never monitored.
    ['/metrics', async () => (await import('./metrics.ts')).renderMetrics(facts())],
  ]);
}

/** Whether what the node shows is new, as far as it can know. */
function health({ member, followed }: MetricsFacts): Page {
  const problem = (member ?? followed)?.problem ?? null;
  const type = 'text/plain; charset=utf-8';
  return problem === null ? { type, text: 'ok\n' } : { status: 503, type, text: `${problem}\n` };
}
