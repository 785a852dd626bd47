import { readFileSync } from 'node:fs';
import { DEFAULTS } from './defaults.ts';
import type { DevnetOptions } from './options.ts';

/** Options that bring a state along which a recording doesn't hold. */
export const NOT_RECORDED = [
  'import',
  'loadState',
  'state',
] as const satisfies readonly (keyof DevnetOptions)[];

/** Options that decide no hash. All others go into a recording. */
const LOCAL: ReadonlySet<string> = new Set([
  'port',
  'host',
  'ipc',
  'allowHost',
  'allowOrigin',
  'noCors',
  'maxBodySize',
  'maxBatchSize',
  'maxResponseSize',
  'maxSubscriptions',
  'maxFilters',
  'notificationBuffer',
  'sendBuffer',
  'flashblockBuffer',
  'rpcTimeout',
  'callGasLimit',
  'simulateStateRoot',
  'manualClock',
  'timestamp',
  'record',
  'dataDir',
  'fsync',
  'repair',
  'silent',
  'disableConsoleLog',
  'printTraces',
  'configOut',
  'gasPrice',
  'disableMinPriorityFee',
  ...NOT_RECORDED,
  'dumpState',
  'stateInterval',
  'preserveHistoricalStates',
] satisfies (keyof DevnetOptions)[]);

/** The options of a recorded chain as JSON: a genesis file by its content, amounts as `{amount}` in decimal text. */
export function recordedOptions(options: DevnetOptions): Readonly<Record<string, unknown>> {
  const recorded: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(options)) {
    if (value === undefined || LOCAL.has(name)) continue;
    if (name === 'init' && typeof value === 'string') recorded.init = JSON.parse(readFileSync(value, 'utf8'));
    else recorded[name] = typeof value === 'bigint' ? { amount: `${value}` } : value;
  }
  // Said in each, since it tells those that were made when Hardhat's genesis block here had both contracts too.
  if (options.compat && !options.init) recorded.multicall3 ??= DEFAULTS[options.compat].multicall3;
  return recorded;
}

/** What {@link recordedOptions} was made of. */
export function optionsOf(recorded: Readonly<Record<string, unknown>>): DevnetOptions {
  const options: DevnetOptions = Object.fromEntries(
    Object.entries(recorded).map(([name, value]) => [name, isAmount(value) ? BigInt(value.amount) : value]),
  );
  if (options.compat !== 'hardhat' || options.init || options.multicall3 !== undefined) return options;
  return { ...options, multicall3: true, ...(!options.noCreate2 && { create2: true }) };
}

function isAmount(value: unknown): value is { amount: string } {
  return typeof value === 'object' && value !== null && 'amount' in value;
}
