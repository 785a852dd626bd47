import { paramsBlock } from '@ethereumjs/block';
import {
  type Common,
  type CustomCrypto,
  createCustomCommon,
  Mainnet,
  type ParamsDict,
} from '@ethereumjs/common';
import { paramsEVM } from '@ethereumjs/evm';
import { paramsTx } from '@ethereumjs/tx';

/** Oldest first, by EthereumJS's names. Later ones are experimental in the engine. */
export const HARDFORKS = [
  'chainstart',
  'homestead',
  'dao',
  'tangerineWhistle',
  'spuriousDragon',
  'byzantium',
  'constantinople',
  'petersburg',
  'istanbul',
  'muirGlacier',
  'berlin',
  'london',
  'arrowGlacier',
  'grayGlacier',
  'paris',
  'shanghai',
  'cancun',
  'prague',
  'osaka',
  'bpo1',
  'bpo2',
] as const;

export type Hardfork = (typeof HARDFORKS)[number];

/** EIP-4844 and EIP-7691: gas units a block, and how fast the blob fee moves. */
export interface BlobSchedule {
  readonly target: bigint;
  readonly max: bigint;
  readonly updateFraction: bigint;
}

/**
 * The rules of one hardfork: a Common that is never changed, with its look-ups remembered (the library walks the list
 * of EIPs each time).
 */
export class Fork {
  readonly name: Hardfork;
  readonly common: Common;
  readonly blobs: BlobSchedule | undefined;
  readonly overrides: ParamsDict;
  readonly #rank: number;
  readonly #params = new Map<string, bigint>();
  readonly #eips = new Map<number, boolean>();

  /** @param overrides parameters that differ from the EIPs' */
  constructor(common: Common, overrides: ParamsDict = {}) {
    for (const params of [paramsTx, paramsBlock, paramsEVM, overrides]) common.updateParams(params);
    this.common = common;
    this.overrides = overrides;
    this.name = common.hardfork() as Hardfork;
    this.#rank = HARDFORKS.indexOf(this.name);
    if (this.has(4844)) {
      const schedule = common.getBlobGasSchedule();
      this.blobs = {
        target: schedule.targetBlobGasPerBlock,
        max: schedule.maxBlobGasPerBlock,
        updateFraction: schedule.blobGasPriceUpdateFraction,
      };
    }
  }

  has(eip: number): boolean {
    let active = this.#eips.get(eip);
    if (active === undefined) {
      active = this.common.isActivatedEIP(eip);
      this.#eips.set(eip, active);
    }
    return active;
  }

  /** A parameter by the engine's name, such as `txGas`. */
  param(name: string): bigint {
    let value = this.#params.get(name);
    if (value === undefined) {
      value = this.common.param(name);
      this.#params.set(name, value);
    }
    return value;
  }

  /** True at this fork and all later ones. */
  atLeast(name: Hardfork): boolean {
    return this.#rank >= HARDFORKS.indexOf(name);
  }
}

/** Which fork holds at a block. */
export interface ForkSchedule {
  readonly chainId: bigint;
  /** @param timestamp seconds */
  at(number: bigint, timestamp: bigint): Fork;
}

/** EIP-170's limit on code in bytes, with EIP-3860's on init code, twice that. */
export function codeSizeLimit(bytes: number): ParamsDict {
  // The engine keeps EIP-170's parameter with those of EIP-607, the fork that brought it.
  return { 607: { maxCodeSize: bytes }, 3860: { maxInitCodeSize: 2 * bytes } };
}

/** The schedule of the built-in genesis: one fork from the first block on. */
export function singleFork(
  chainId: bigint,
  hardfork: Hardfork,
  customCrypto: CustomCrypto,
  overrides: ParamsDict = {},
): ForkSchedule {
  const common = createCustomCommon({ chainId: Number(chainId) }, Mainnet, { hardfork, customCrypto });
  const fork = new Fork(common, overrides);
  return { chainId, at: () => fork };
}
