import type { EndpointOptions } from '../remote/endpoint.ts';
import { type Checks, conflict, needs, OptionError } from './checks.ts';
import type { DevnetOptions } from './options.ts';

/** Where a chain is forked from, and how its node is asked. */
export interface ForkOptions extends EndpointOptions {
  /** Negative = so many before the newest; absent = the newest. */
  readonly blockNumber?: bigint;
  /** of the other chain, which is asked for it when absent */
  readonly chainId?: bigint;
}

const PARTS = [
  'forkBlockNumber',
  'forkHeaders',
  'forkChainId',
  'forkTimeout',
  'forkRetries',
  'forkRetryBackoff',
] as const satisfies readonly (keyof DevnetOptions)[];

/** What a forked chain can't have, since it begins with another chain's block and holds only what differs from it. */
const EXCLUDED = [
  'init',
  'import',
  'number',
  'timestamp',
  'dataDir',
  'record',
  'dumpState',
  'state',
  'noCreate2',
] as const satisfies readonly (keyof DevnetOptions)[];

/** anvil's */
export const DEFAULTS = { timeout: 45_000, retries: 5, backoff: 1000 } as const;
/** milliseconds */
const DAY = 86_400_000;

/** @throws OptionError, OptionConflict */
export function chooseHardfork(
  options: DevnetOptions,
  check: Checks<DevnetOptions>,
): ForkOptions | undefined {
  const given = check.text('forkUrl');
  if (given === undefined) {
    for (const part of PARTS) if (options[part] !== undefined) needs(part, 'forkUrl');
    return undefined;
  }
  for (const name of EXCLUDED) if (options[name] !== undefined) conflict('forkUrl', name);
  const { url, block } = splitUrl(given);
  const blockNumber = check.integer('forkBlockNumber', -(2n ** 53n), 2n ** 53n);
  if (block !== undefined && blockNumber !== undefined)
    throw new OptionError('forkBlockNumber', `none besides the ${block} of the URL`, blockNumber);
  const at = block ?? blockNumber;
  const chainId = check.integer('forkChainId', 1n, BigInt(Number.MAX_SAFE_INTEGER));
  return {
    url,
    headers: headersOf(check.texts('forkHeaders') ?? []),
    timeout: check.whole('forkTimeout', 1, DAY) ?? DEFAULTS.timeout,
    retries: check.whole('forkRetries', 0, 1000) ?? DEFAULTS.retries,
    backoff: check.whole('forkRetryBackoff', 0, DAY) ?? DEFAULTS.backoff,
    ...(at !== undefined && { blockNumber: at }),
    ...(chainId !== undefined && { chainId }),
  };
}

/**
 * `URL` or `URL@block`, as anvil takes them.
 * @throws OptionError
 */
export function splitUrl(text: string): { url: string; block?: bigint } {
  // A password may have an @ before it, too; a block is the end of the URL.
  const [, before = text, digits] = /^(.+)@(\d+)$/.exec(text) ?? [];
  const parsed = URL.canParse(before) ? new URL(before) : undefined;
  if (!parsed || !/^(https?|wss?):$/.test(parsed.protocol))
    throw new OptionError('forkUrl', 'a URL of http, https, ws or wss', withoutKey(text));
  return { url: before, ...(digits !== undefined && { block: BigInt(digits) }) };
}

/**
 * The options with another URL. Headers go to the host that they were given for, and to no other.
 * @throws OptionError
 */
export function withUrl(options: ForkOptions, text: string): ForkOptions {
  const { url, block } = splitUrl(text);
  const { blockNumber: _, chainId: __, ...rest } = options;
  const sameHost = new URL(url).host === new URL(options.url).host;
  return {
    ...rest,
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
