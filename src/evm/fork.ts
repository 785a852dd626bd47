import { paramsBlock } from '@ethereumjs/block';
import { type Common, type CustomCrypto, createCustomCommon, Hardfork, Mainnet } from '@ethereumjs/common';
import { paramsEVM } from '@ethereumjs/evm';
import { paramsTx } from '@ethereumjs/tx';

/** Order of the forks, oldest first. */
const ORDER: readonly string[] = [
  Hardfork.Chainstart,
  Hardfork.Homestead,
  Hardfork.Dao,
  Hardfork.TangerineWhistle,
  Hardfork.SpuriousDragon,
  Hardfork.Byzantium,
  Hardfork.Constantinople,
  Hardfork.Petersburg,
  Hardfork.Istanbul,
  Hardfork.MuirGlacier,
  Hardfork.Berlin,
  Hardfork.London,
  Hardfork.ArrowGlacier,
  Hardfork.GrayGlacier,
  Hardfork.Paris,
  Hardfork.Shanghai,
  Hardfork.Cancun,
  Hardfork.Prague,
  Hardfork.Osaka,
  Hardfork.Bpo1,
  Hardfork.Bpo2,
];

/** Forks a chain can start at, by `--hardfork`. */
export const HARDFORKS: readonly string[] = ORDER.filter((name) => name !== Hardfork.Dao);

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
  readonly name: string;
  readonly common: Common;
  readonly blobs: BlobSchedule | undefined;
  readonly #rank: number;
  readonly #params = new Map<string, bigint>();
  readonly #eips = new Map<number, boolean>();

  constructor(common: Common) {
    for (const params of [paramsTx, paramsBlock, paramsEVM]) common.updateParams(params);
    this.common = common;
    this.name = common.hardfork();
    this.#rank = ORDER.indexOf(this.name);
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
  atLeast(name: string): boolean {
    return this.#rank >= ORDER.indexOf(name);
  }
}

/** Which fork holds at a block. */
export interface ForkSchedule {
  readonly chainId: bigint;
  /** @param timestamp seconds */
  at(number: bigint, timestamp: bigint): Fork;
}

/** The schedule of the built-in genesis: one fork from the first block on. */
export function singleFork(chainId: bigint, hardfork: string, customCrypto: CustomCrypto): ForkSchedule {
  const common = createCustomCommon({ chainId: Number(chainId) }, Mainnet, { hardfork, customCrypto });
  const fork = new Fork(common);
  return { chainId, at: () => fork };
}
