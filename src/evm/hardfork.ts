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

export type HardforkName = (typeof HARDFORKS)[number];

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
export class Hardfork {
  readonly name: HardforkName;
  readonly common: Common;
  readonly blobs: BlobSchedule | undefined;
  readonly overrides: ParamsDict;
  readonly #rank: number;

  /**
   * @param blobs instead of the mainnet's at this hardfork (EIP-7840)
   * @param overrides parameters that differ from the EIPs'
   */
  constructor(common: Common, blobs?: BlobSchedule, overrides: ParamsDict = {}) {
    for (const params of [paramsTx, paramsBlock, paramsEVM, overrides]) common.updateParams(params);
    this.overrides = overrides;
    remember(common);
    this.common = common;
    this.name = common.hardfork() as HardforkName;
    this.#rank = HARDFORKS.indexOf(this.name);
    if (blobs && this.has(4844)) this.blobs = blobs;
    else if (this.has(4844)) {
      const schedule = common.getBlobGasSchedule();
      this.blobs = {
        target: schedule.targetBlobGasPerBlock,
        max: schedule.maxBlobGasPerBlock,
        updateFraction: schedule.blobGasPriceUpdateFraction,
      };
    }
  }

  has(eip: number): boolean {
    return this.common.isActivatedEIP(eip);
  }

  /** A parameter by the engine's name, such as `txGas`. */
  param(name: string): bigint {
    return this.common.param(name);
  }

  /** True at this hardfork and all later ones. */
  atLeast(name: HardforkName): boolean {
    return this.#rank >= HARDFORKS.indexOf(name);
  }
}

/**
 * Makes a Common remember its answers: the engine asks it in every frame, and it walks lists each time. Copies, which
 * may be set to another hardfork, are made without that.
 */
function remember(common: Common): void {
  const eips = new Map<number, boolean>();
  const forks = new Map<string, boolean>();
  const params = new Map<string, bigint>();
  const { isActivatedEIP, gteHardfork, param, copy } = common;
  common.isActivatedEIP = (eip) => recall(eips, eip, () => isActivatedEIP.call(common, eip));
  common.gteHardfork = (name) => recall(forks, name, () => gteHardfork.call(common, name));
  common.param = (name) => recall(params, name, () => param.call(common, name));
  common.copy = () => Object.assign(copy.call(common), { isActivatedEIP, gteHardfork, param, copy });
}

function recall<K, V>(known: Map<K, V>, key: K, find: () => V): V {
  let value = known.get(key);
  if (value === undefined) {
    value = find();
    known.set(key, value);
  }
  return value;
}

/** Which hardfork holds at a block. */
export interface HardforkSchedule {
  readonly chainId: bigint;
  /**
   * Where forks begin, rising and each once (EIP-2124): block numbers, and times in seconds. Absent where one hardfork
   * holds from the start.
   */
  readonly boundaries?: { readonly blocks: readonly bigint[]; readonly times: readonly bigint[] };
  /** EIP-6110: whose logs are deposits, instead of the mainnet's */
  readonly depositContract?: Uint8Array;
  /** There are deposits, and fees go where those of the OP Stack go; see `optimism.ts`. */
  readonly optimism?: boolean;
  /** EIP-779: where the DAO hardfork is, and whether this chain goes along with it */
  readonly daoFork?: { readonly block: bigint; readonly supported: boolean };
  /**
   * The first block of proof of stake, where it is known: 0 when every block is. Without it the merge happened where
   * the difficulty becomes 0.
   */
  readonly mergeBlock?: bigint;
  /**
   * @param timestamp seconds
   * @param difficulty of the block; above 0 it stands before the merge. Absent for a block to come.
   */
  at(number: bigint, timestamp: bigint, difficulty?: bigint): Hardfork;
}

/** EIP-170's limit on code in bytes, with EIP-3860's on init code, twice that. */
export function codeSizeLimit(bytes: number): ParamsDict {
  // The engine keeps EIP-170's parameter with those of EIP-607, the hardfork that brought it.
  return { 607: { maxCodeSize: bytes }, 3860: { maxInitCodeSize: 2 * bytes } };
}

/** The schedule of the built-in genesis: one hardfork from the first block on. */
export function singleHardfork(
  chainId: bigint,
  name: HardforkName,
  customCrypto: CustomCrypto,
  overrides: ParamsDict = {},
): HardforkSchedule {
  const hardfork = hardforkOf(chainId, name, customCrypto, undefined, overrides);
  return { chainId, ...(hardfork.atLeast('paris') && { mergeBlock: 0n }), at: () => hardfork };
}

/** One hardfork on a chain of this id. */
export function hardforkOf(
  chainId: bigint,
  name: HardforkName,
  customCrypto: CustomCrypto,
  blobs?: BlobSchedule,
  overrides?: ParamsDict,
): Hardfork {
  const options = { hardfork: name, customCrypto };
  const common = createCustomCommon({ chainId: Number(chainId) }, Mainnet, options);
  return new Hardfork(common, blobs, overrides);
}
