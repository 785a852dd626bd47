import { readFileSync } from 'node:fs';
import { CHAIN } from './table/chain.ts';
import { type DevnetOptions, OPTIONS } from './table.ts';
import { defaultOf } from './values.ts';

/** The options of a recorded chain as JSON: a genesis file by its content, amounts as `{amount}` in decimal text. */
export function recordedOptions(options: DevnetOptions): Readonly<Record<string, unknown>> {
  const recorded: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(options)) {
    if (value === undefined || OPTIONS[name]?.recorded !== true) continue;
    if (name === 'init' && typeof value === 'string') recorded.init = JSON.parse(readFileSync(value, 'utf8'));
    else recorded[name] = typeof value === 'bigint' ? { amount: `${value}` } : value;
  }
  // Always written with `compat`: recordings without it are from versions that put both contracts into Hardhat's genesis block.
  if (options.compat && !options.init) recorded.multicall3 ??= defaultOf(CHAIN.multicall3, options.compat);
  return recorded;
}

/** The options that {@link recordedOptions} wrote. */
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
