import { defaultFolder } from '../fork-cache/cache-folder.ts';
import type { ForkCacheOptions } from '../fork-cache/fork-cache.ts';
import type { EndpointOptions } from '../remote/endpoint.ts';
import { conflict, needs, OptionError } from './errors.ts';
import { FORK } from './table/fork.ts';
import type { DevnetOptions, Values } from './table.ts';

/** The chain to fork, and how its node is requested. */
export interface ForkOptions extends EndpointOptions {
  /** Negative = so many before the newest; absent = the newest. */
  readonly blockNumber?: bigint;
  /** Hash of the other chain's transaction before which to fork, `0x` hex in lower case; excludes `blockNumber`. */
  readonly transaction?: string;
  /** chain id of the other chain; if absent, its node is asked */
  readonly chainId?: bigint;
  /** whether no requests are sent (only the fork cache is used) */
  readonly isOffline?: boolean;
  /** whether fetched data must have a Merkle proof */
  readonly isVerified?: boolean;
}

/** Options that a forked chain can't have, because it begins with another chain's block and stores only the differences from it. */
const EXCLUDED = [
  'init',
  'import',
  'number',
  'timestamp',
  'dumpState',
  'state',
  'noCreate2',
] as const satisfies readonly (keyof DevnetOptions)[];

/** Defaults for requests to a node, the same as anvil's. */
export const DEFAULTS = {
  timeout: FORK.forkTimeout.default,
  retries: FORK.forkRetries.default,
  backoff: FORK.forkRetryBackoff.default,
} as const;

/** Options that are also allowed for a chain that isn't forked at its start, because `anvil_reset` may fork it. */
const OF_CACHE: ReadonlySet<string> = new Set(['forkCache', 'noForkCache', 'forkCacheSize']);

/** Returns where fetched data is cached; `undefined` if it isn't. @throws OptionConflict */
export function chooseForkCache(options: DevnetOptions, values: Values): ForkCacheOptions | undefined {
  for (const name of ['forkCache', 'forkCacheSize', 'forkOffline'] as const)
    if (values.noForkCache && options[name] !== undefined) conflict('noForkCache', name);
  return values.noForkCache
    ? undefined
    : { dir: values.forkCache ?? defaultFolder(), size: values.forkCacheSize };
}

/** @throws OptionError, OptionConflict */
export function chooseFork(options: DevnetOptions, values: Values): ForkOptions | undefined {
  if (values.forkUrl === undefined) {
    for (const name of Object.keys(FORK) as (keyof typeof FORK)[])
      if (options[name] !== undefined && !OF_CACHE.has(name)) needs(name, 'forkUrl');
    return undefined;
  }
  for (const name of EXCLUDED) if (options[name] !== undefined) conflict('forkUrl', name);
  const [first, ...others] = values.forkUrl;
  const { url, block } = splitUrl(first!);
  const fallbacks = others.map((text) => {
    const other = splitUrl(text);
    if (other.block !== undefined)
      throw new OptionError('forkUrl', 'a block at the first URL only', withoutKey(text));
    return other.url;
  });
  const { forkBlockNumber, forkChainId } = values;
  if (block !== undefined && forkBlockNumber !== undefined)
    throw new OptionError('forkBlockNumber', `none besides the ${block} of the URL`, forkBlockNumber);
  const blockNumber = block ?? forkBlockNumber;
  const { forkTransactionHash: transaction } = values;
  if (transaction !== undefined && forkBlockNumber !== undefined)
    conflict('forkTransactionHash', 'forkBlockNumber');
  if (transaction !== undefined && block !== undefined)
    throw new OptionError('forkTransactionHash', `none besides the ${block} of the URL`, transaction);
  return {
    url,
    ...(fallbacks.length > 0 && { fallbacks }),
    headers: headersOf(values.forkHeaders),
    timeout: values.forkTimeout,
    retries: values.forkRetries,
    backoff: values.forkRetryBackoff,
    ...((options.forkRetries !== undefined || options.forkRetryBackoff !== undefined) && { isPatient: true }),
    ...(blockNumber !== undefined && { blockNumber }),
    ...(transaction !== undefined && { transaction }),
    ...(forkChainId !== undefined && { chainId: forkChainId }),
    ...(values.forkRateLimit && { rate: values.forkRateLimit }),
    ...(values.forkOffline && { isOffline: true }),
    ...(values.forkVerify && { isVerified: true }),
  };
}

/** `URL` or `URL@block`, as anvil takes them. @throws OptionError */
export function splitUrl(text: string): { url: string; block?: bigint } {
  // A password may contain an @, too; the block is at the end of the URL.
  const [, before = text, digits] = /^(.+)@(\d+)$/.exec(text) ?? [];
  const parsed = URL.canParse(before) ? new URL(before) : undefined;
  if (!parsed || !/^(https?|wss?):$/.test(parsed.protocol))
    throw new OptionError('forkUrl', 'a URL of http, https, ws or wss', withoutKey(text));
  return { url: before, ...(digits !== undefined && { block: BigInt(digits) }) };
}

/** Returns the options with another URL. Headers are sent only to the host for which they were given. @throws OptionError */
export function withUrl(options: ForkOptions, text: string): ForkOptions {
  const { url, block } = splitUrl(text);
  const { blockNumber: _, chainId: __, transaction: ___, fallbacks, ...rest } = options;
  const sameHost = new URL(url).host === new URL(options.url).host;
  return {
    ...rest,
    ...(fallbacks && url === options.url && { fallbacks }),
    url,
    headers: sameHost ? options.headers : {},
    ...(block !== undefined && { blockNumber: block }),
  };
}

/** Shortens a URL for an error message, because the end of a URL may contain a key. */
function withoutKey(text: string): string {
  return text.length > 24 ? `${text.slice(0, 24)}...` : text;
}

/** Parses headers in the form `Name: value`. */
function headersOf(lines: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    lines.map((line) => {
      const [, name, value] = /^([!#$%&'*+.^_`|~\w-]+):\s*(.*)$/.exec(line) ?? [];
      if (name === undefined)
        throw new OptionError('forkHeaders', "lines like 'Name: value'", line.split(':', 1)[0]);
      return [name, value!];
    }),
  );
}
