import { defaultFolder } from '../fork-cache/cache-folder.ts';
import type { ForkCacheOptions } from '../fork-cache/fork-cache.ts';
import type { EndpointOptions } from '../remote/endpoint.ts';
import { conflict, needs, OptionError } from './errors.ts';
import { FORK } from './table/fork.ts';
import type { DevnetOptions, Values } from './table.ts';

/** Where a chain is forked from, and how its node is asked. */
export interface ForkOptions extends EndpointOptions {
  /** Negative = so many before the newest; absent = the newest. */
  readonly blockNumber?: bigint;
  /** Hash of the transaction of the other chain to go on right before, `0x` hex in small letters; then there is no `blockNumber`. */
  readonly transaction?: string;
  /** of the other chain, which is asked for it when absent */
  readonly chainId?: bigint;
  /** no node is asked */
  readonly isOffline?: boolean;
  /** what is fetched has to have a Merkle proof */
  readonly isVerified?: boolean;
}

/** What a forked chain can't have, since it begins with another chain's block and holds only what differs from it. */
const EXCLUDED = [
  'init',
  'import',
  'number',
  'timestamp',
  'dumpState',
  'state',
  'noCreate2',
] as const satisfies readonly (keyof DevnetOptions)[];

/** How a node is asked where nothing is said: as anvil asks. */
export const DEFAULTS = {
  timeout: FORK.forkTimeout.default,
  retries: FORK.forkRetries.default,
  backoff: FORK.forkRetryBackoff.default,
} as const;

/** Options that a chain may have which isn't forked at its start: `anvil_reset` forks it. */
const OF_CACHE: ReadonlySet<string> = new Set(['forkCache', 'noForkCache', 'forkCacheSize']);

/** Where what is fetched is kept; `undefined` where it isn't. @throws OptionConflict */
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
  // A password may have an @ before it, too; a block is the end of the URL.
  const [, before = text, digits] = /^(.+)@(\d+)$/.exec(text) ?? [];
  const parsed = URL.canParse(before) ? new URL(before) : undefined;
  if (!parsed || !/^(https?|wss?):$/.test(parsed.protocol))
    throw new OptionError('forkUrl', 'a URL of http, https, ws or wss', withoutKey(text));
  return { url: before, ...(digits !== undefined && { block: BigInt(digits) }) };
}

/** The options with another URL. Headers go only to the host that they were given for. @throws OptionError */
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

/** A refusal is printed, and the end of a URL is where keys are. */
function withoutKey(text: string): string {
  return text.length > 24 ? `${text.slice(0, 24)}...` : text;
}

/** `Name: value` each */
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
