import { Address, hexToBytes } from '@ethereumjs/util';
import {
  DEFAULT_FEE_PARAMETERS,
  decodeFeeParameters,
  encodeFeeParameters,
  type FeeParameters,
} from '../chain/fee-parameters.ts';
import { type Marker, readMarker } from '../chain/store/data-dir.ts';
import { rollupOf } from '../protocol/hardfork.ts';
import { PREDEPLOYS } from '../state/predeploys.ts';
import type { Config } from './config.ts';
import { OptionError } from './errors.ts';
import type { Preset } from './presets.ts';
import type { DevnetOptions, Values } from './table.ts';

/**
 * Base's fee parameters from February 2026 to its Denim upgrade, with a minimum base fee of 0.002 gwei (from its configuration changelog).
 */
export const BASE_BEFORE_DENIM: FeeParameters = { denominator: 125n, elasticity: 6n, minBaseFee: 2_000_000n };
/** Fee parameters by preset; other networks have OP Mainnet's. */
const FEE_PARAMETERS: Partial<Record<Preset, FeeParameters>> = {
  base: { ...BASE_BEFORE_DENIM, minBaseFee: 5_000_000n },
  'base-flashblocks': BASE_BEFORE_DENIM,
};

const SEQUENCER_FEE_VAULT = new Address(hexToBytes(PREDEPLOYS.sequencerFeeVault));

/**
 * Determines `optimism`, `depositsOnly` and `barePredeploys` if the options leave them open: all presets are OP chains, and a data
 * directory keeps the rules and contracts of its chain.
 */
export function withRollup(options: DevnetOptions): DevnetOptions {
  const { dataDir, preset, optimism } = options;
  if (optimism === false || (optimism === undefined && preset === undefined)) return options;
  const marker = dataDir === undefined || dataDir === '' ? undefined : markerOf(dataDir);
  if (optimism === undefined && marker && !marker.optimism) return { ...options, optimism: false };
  const depositsOnly = options.depositsOnly ?? (marker?.optimism && !marker.rollup) ?? false;
  const barePredeploys =
    options.barePredeploys ?? (!depositsOnly && marker?.rollup && !marker.proxies) ?? false;
  return { ...options, optimism: true, depositsOnly, barePredeploys };
}

/** Also `undefined` for a directory that can't be used; the start of the node reports this. */
function markerOf(dir: string): Marker | undefined {
  try {
    return readMarker(dir);
  } catch {
    return undefined;
  }
}

/**
 * Returns the header fields of an OP chain's blocks: tips go to the sequencer's fee vault, and `extraData` has the parameters of the base
 * fee.
 * @throws OptionError for other `extraData`
 */
export function rollupBlocks(
  options: DevnetOptions,
  { hardfork, preset, coinbase, extraData, init }: Values,
): Pick<Config, 'coinbase' | 'extraData'> {
  // A genesis file determines its own hardforks.
  const rollup = init ? 'jovian' : rollupOf(hardfork);
  if (!rollup) return { coinbase, extraData };
  const parameters = (preset && FEE_PARAMETERS[preset]) ?? DEFAULT_FEE_PARAMETERS;
  const isGiven = options.extraData !== undefined;
  if (isGiven && !decodeFeeParameters(extraData))
    throw new OptionError(
      'extraData',
      'with optimism the parameters of the base fee: 9 bytes that begin with 00, or 17 that begin with 01',
      options.extraData,
    );
  return {
    coinbase: options.coinbase === undefined ? SEQUENCER_FEE_VAULT : coinbase,
    extraData: isGiven ? extraData : encodeFeeParameters(parameters, rollup),
  };
}
