import { readFileSync } from 'node:fs';
import { bytesToHex } from '@ethereumjs/util';
import type { DevAccount } from '../accounts.ts';
import { encodeFeeParameters } from '../chain/fee-parameters.ts';
import type { ForkBlock } from '../fork-cache/fork-block.ts';
import { type HardforkName, rollupOf } from '../protocol/hardfork.ts';
import type { Config } from './config.ts';
import { type Preset, preset } from './presets.ts';
import { BASE_BEFORE_DENIM } from './rollup.ts';
import { CHAIN } from './table/chain.ts';
import { MINING } from './table/mining.ts';
import { type DevnetOptions, OPTIONS } from './table.ts';
import { formatEther, hardfork } from './value-types.ts';
import { defaultOf } from './values.ts';

/** Returns the other chain's block at which a recorded chain was forked; `undefined` if it wasn't forked. */
export function forkedOf({ forked }: Readonly<Record<string, unknown>>): ForkBlock | undefined {
  if (forked === undefined) return undefined;
  const { chainId, number, hash, transaction } = forked as Record<'chainId' | 'number' | 'hash', string> &
    Pick<ForkBlock, 'transaction'>;
  return { chainId: BigInt(chainId), number: BigInt(number), hash, transaction };
}

/** The names of presets in recordings, if they differ: those of versions before Base's Denim upgrade. */
const RECORDED_PRESETS: Partial<Record<Preset, string>> = { base: 'base-denim', 'base-flashblocks': 'base' };

/** Converts the options of a recorded chain to JSON: a genesis file as its content, amounts as `{amount}` in decimal text. */
export function recordedOptions(options: DevnetOptions): Readonly<Record<string, unknown>> {
  const recorded: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(options)) {
    if (value === undefined || OPTIONS[name]?.recorded !== true) continue;
    if (name === 'init' && typeof value === 'string') recorded.init = JSON.parse(readFileSync(value, 'utf8'));
    else recorded[name] = typeof value === 'bigint' ? { amount: `${value}` } : value;
  }
  if (recorded.preset !== undefined) {
    const used = preset.read(options.preset!)!;
    recorded.preset = RECORDED_PRESETS[used] ?? used;
    // Always written: recordings without it are from versions whose presets had no cap.
    if (used === 'base') recorded.enableTxGasLimit ??= !options.disableTxGasLimit;
  }
  // Always written: recordings without it are from versions whose presets set only the timing, and that had no other rules of the OP Stack.
  if (options.optimism) recorded.depositsOnly ??= false;
  // Always written: recordings without it are from versions that had no proxies.
  if (recorded.depositsOnly === false) recorded.barePredeploys ??= false;
  // Always written with `compat`: recordings without it are from versions that put both contracts into the genesis block with `compat:
  // 'hardhat'`.
  if (options.compat && !options.init) recorded.multicall3 ??= defaultOf(CHAIN.multicall3, options.compat);
  return recorded;
}

/** Returns the options that {@link recordedOptions} wrote. */
export function optionsOf({ forked: _, ...recorded }: Readonly<Record<string, unknown>>): DevnetOptions {
  const options: DevnetOptions = Object.fromEntries(
    Object.entries(recorded).map(([name, value]) => [name, isAmount(value) ? BigInt(value.amount) : value]),
  );
  if (options.optimism) options.depositsOnly ??= true;
  if (options.depositsOnly === false) options.barePredeploys ??= true;
  if (recorded.preset !== undefined) {
    options.preset = presetOf(recorded.preset) ?? (recorded.preset as Preset);
    options.optimism ??= false;
    if (options.preset === 'base' && options.enableTxGasLimit === undefined) {
      options.enableTxGasLimit = false;
      const rollup = options.optimism && !options.depositsOnly && rollupOf(hardforkOf(options));
      if (rollup) options.extraData ??= bytesToHex(encodeFeeParameters(BASE_BEFORE_DENIM, rollup));
    }
  }
  if (options.compat !== 'hardhat' || options.init || options.multicall3 !== undefined) return options;
  return { ...options, multicall3: true, ...(!options.noCreate2 && { create2: true }) };
}

/** Returns the preset that a recording names; `undefined` for an unknown name. */
export function presetOf(recorded: unknown): Preset | undefined {
  const [renamed] = Object.entries(RECORDED_PRESETS).find(([, name]) => name === recorded) ?? [recorded];
  return preset.read(renamed as Preset);
}

function hardforkOf(options: DevnetOptions): HardforkName {
  return options.hardfork === undefined ? CHAIN.hardfork.default : hardfork.read(options.hardfork)!;
}

/** Returns the configuration by the rules of recordings of version 1, see `RULES` in the recorder. */
export function withFormerRules(config: Config, options: DevnetOptions): Config {
  const former = { ...config, spacesFirstBlock: false, zeroBaseFeeStays: false };
  const { mining } = config;
  const hadPartials =
    (options.compat === 'hardhat' || options.compat === 'hardhat2') &&
    options.flashblockInterval === undefined &&
    options.preset === undefined;
  if (!hadPartials) return former;
  const { default: interval } = MINING.flashblockInterval;
  if (!('blockTime' in mining)) return { ...former, flashblockInterval: interval };
  const flashblockInterval = mining.blockTime <= interval ? 0 : interval;
  return { ...former, flashblockInterval, mining: { ...mining, flashblockInterval } };
}

/**
 * Returns the recorded options of a chain without its mnemonic, which other nodes don't need: they fund the addresses of its accounts
 * instead. The default mnemonic is public, and needn't be removed.
 */
export function sharedOptions(
  { recorded, genesis, balance }: Pick<Config, 'recorded' | 'genesis' | 'balance'>,
  accounts: readonly Pick<DevAccount, 'address'>[],
): Readonly<Record<string, unknown>> {
  const { mnemonic, derivationPath, ...shared } = recorded();
  if (mnemonic === undefined) return recorded();
  // A genesis file lists the accounts that it funds.
  if (genesis) return { ...shared, accounts: 0 };
  const { fundAccounts = [] } = shared as { fundAccounts?: readonly string[] };
  const funded = accounts.map(({ address }) => `${address.toString()}:${formatEther(balance)}`);
  return { ...shared, accounts: 0, fundAccounts: [...funded, ...fundAccounts] };
}

/**
 * Combines the options of a chain with a node's own options, which take precedence. If these include the chain's mnemonic, the node has the
 * keys of the chain's accounts, too.
 */
export function withShared(shared: Readonly<Record<string, unknown>>, own: DevnetOptions): DevnetOptions {
  const { fundAccounts = [], accounts, ...options } = optionsOf(shared);
  return {
    ...options,
    ...(accounts !== undefined && own.mnemonic === undefined && { accounts }),
    ...own,
    ...(options.init === undefined && { fundAccounts: [...fundAccounts, ...(own.fundAccounts ?? [])] }),
  };
}

function isAmount(value: unknown): value is { amount: string } {
  return typeof value === 'object' && value !== null && 'amount' in value;
}
