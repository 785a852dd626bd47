import { plural } from '../plural.ts';
import type { Fork } from './fork.ts';

/** How much a forked chain has read, and how much of that it had to ask for, in a line for the log. */
export function forkSummary({
  reads,
  endpoint,
  cacheDir,
}: Pick<Fork, 'reads' | 'endpoint' | 'cacheDir'>): string {
  const { requests, fetched, cached } = reads.counts;
  const { host } = new URL(endpoint.url);
  const from = cacheDir === undefined ? 'memory' : `the cache in ${cacheDir}`;
  return `${plural(requests, 'request')} to ${host}; ${plural(fetched, 'value')} fetched, ${cached} read from ${from}`;
}
