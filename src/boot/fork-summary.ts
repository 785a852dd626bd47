import { plural } from '../plural.ts';
import type { Fork } from './fork.ts';

/** A log line with the number of values that a forked chain fetched from the other node, and read from the cache. */
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
