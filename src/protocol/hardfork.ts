import { paramsBlock } from '@ethereumjs/block';
import {
  type Common,
  type CustomCrypto,
  createCustomCommon,
  type HardforkConfig,
  Mainnet,
  type ParamsDict,
} from '@ethereumjs/common';
import { paramsEVM } from '@ethereumjs/evm';
import { paramsTx } from '@ethereumjs/tx';
import { paramsVM } from '@ethereumjs/vm';
import { BLOB_SCHEDULE } from './blob-schedule.ts';

/** Oldest first, by EthereumJS's names. Later hardforks are experimental in EthereumJS. */
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
  'bpo3',
  'bpo4',
  'bpo5',
  'amsterdam',
] as const;

export type HardforkName = (typeof HARDFORKS)[number];

/** Whether a hardfork is `first` or a later one. */
export function isSince(name: HardforkName, first: HardforkName): boolean {
  return HARDFORKS.indexOf(name) >= HARDFORKS.indexOf(first);
}

/** EIPs of hardforks before Berlin, for which EthereumJS knows only the EIP of the whole hardfork. */
const EARLY_EIPS: Readonly<Record<number, HardforkName>> = {
  2: 'homestead',
  7: 'homestead',
  150: 'tangerineWhistle',
  155: 'spuriousDragon',
  160: 'spuriousDragon',
  161: 'spuriousDragon',
  170: 'spuriousDragon',
  140: 'byzantium',
  211: 'byzantium',
  214: 'byzantium',
  658: 'byzantium',
  145: 'constantinople',
  1014: 'constantinople',
  1052: 'constantinople',
  1344: 'istanbul',
  1884: 'istanbul',
  2028: 'istanbul',
  2200: 'istanbul',
};

/** Blob gas per block, and the divisor that sets how fast the blob fee changes (EIP-4844, EIP-7691). */
export interface BlobSchedule {
  readonly target: bigint;
  readonly max: bigint;
  readonly updateFraction: bigint;
}

/** The upgrade of the OP Stack whose rules apply in addition to those of Cancun (Holocene), or of Prague and later hardforks (Jovian). */
export type Rollup = 'holocene' | 'jovian';

/** Rules of a chain that apply at all of its hardforks. */
export interface ChainRules {
  /** The chain is an OP chain in all respects. */
  readonly rollup?: boolean;
  /** A base fee of 0 stays 0 in the next block, as in anvil. By EIP-1559 a full block raises 0 to 1 wei. */
  readonly zeroBaseFeeStays?: boolean;
}

/** The rules of one hardfork: an immutable EthereumJS Common with cached lookups. */
export class Hardfork {
  readonly name: HardforkName;
  readonly common: Common;
  readonly blobs: BlobSchedule | undefined;
  readonly overrides: ParamsDict;
  /** `undefined` on chains that aren't OP chains in all respects, and before Cancun */
  readonly rollup: Rollup | undefined;
  readonly chainRules: ChainRules;
  readonly #rank: number;

  /**
   * @param blobs replaces mainnet's blob schedule of this hardfork (EIP-7840)
   * @param overrides parameters that differ from those of the EIPs
   * @param chainRules rules of the chain to which the hardfork belongs
   */
  constructor(common: Common, blobs?: BlobSchedule, overrides: ParamsDict = {}, chainRules: ChainRules = {}) {
    for (const params of [paramsTx, paramsBlock, paramsEVM, paramsVM, overrides]) common.updateParams(params);
    this.overrides = overrides;
    remember(common);
    this.common = common;
    this.name = common.hardfork() as HardforkName;
    this.#rank = HARDFORKS.indexOf(this.name);
    this.chainRules = chainRules;
    this.rollup = chainRules.rollup ? rollupOf(this.name) : undefined;
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
    const since = EARLY_EIPS[eip];
    if (since) return this.atLeast(since);
    // Petersburg removed EIP-1283 (EIP-1716).
    if (eip === 1283) return this.name === 'constantinople';
    return this.common.isActivatedEIP(eip);
  }

  /** A parameter by EthereumJS's name, such as `txGas`. */
  param(name: string): bigint {
    return this.common.param(name);
  }

  /** True at this hardfork and all later ones. */
  atLeast(name: HardforkName): boolean {
    return this.#rank >= HARDFORKS.indexOf(name);
  }
}

/** The newest upgrade of the OP Stack that the EVM of a hardfork supports; `undefined` before Cancun. */
export function rollupOf(name: HardforkName): Rollup | undefined {
  if (!isSince(name, 'cancun')) return undefined;
  return isSince(name, 'prague') ? 'jovian' : 'holocene';
}

/** A hardfork with additional chain rules. */
export function withRules({ common, blobs, overrides }: Hardfork, rules: ChainRules): Hardfork {
  return new Hardfork(common.copy(), blobs, overrides, rules);
}

/** A schedule whose hardforks have additional chain rules. */
export function withChainRules(schedule: HardforkSchedule, rules: ChainRules): HardforkSchedule {
  if (!rules.rollup && !rules.zeroBaseFeeStays) return schedule;
  const made = new Map<Hardfork, Hardfork>();
  return {
    ...schedule,
    at: (...place) => {
      const hardfork = schedule.at(...place);
      let ruled = made.get(hardfork);
      if (!ruled) {
        ruled = withRules(hardfork, rules);
        made.set(hardfork, ruled);
      }
      return ruled;
    },
  };
}

/**
 * Makes a Common cache its lookups: the EVM needs them in every frame, and each one searches lists. Copies get the original methods,
 * because they may be set to another hardfork.
 */
function remember(common: Common): void {
  const { isActivatedEIP, gteHardfork, param, copy } = common;
  common.isActivatedEIP = cached(isActivatedEIP.bind(common));
  common.gteHardfork = cached(gteHardfork.bind(common));
  common.param = cached(param.bind(common));
  common.copy = () => Object.assign(copy.call(common), { isActivatedEIP, gteHardfork, param, copy });
}

function cached<K, V>(find: (key: K) => V): (key: K) => V {
  const known = new Map<K, V>();
  return (key) => {
    let value = known.get(key);
    if (value === undefined) {
      value = find(key);
      known.set(key, value);
    }
    return value;
  };
}

/** Determines the hardfork of each block. */
export interface HardforkSchedule {
  readonly chainId: bigint;
  /** Activation points, ascending and unique (EIP-2124): block numbers, and timestamps in seconds. Absent if there is only one hardfork. */
  readonly boundaries?: { readonly blocks: readonly bigint[]; readonly times: readonly bigint[] };
  /** EIP-6110: the deposit contract; absent = mainnet's */
  readonly depositContract?: Uint8Array;
  /** The rules of the OP Stack apply: deposits exist, and fees go to its vaults; see `optimism.ts`. */
  readonly optimism?: boolean;
  /** EIP-779: block of the DAO fork, and whether this chain supports it */
  readonly daoFork?: { readonly block: bigint; readonly supported: boolean };
  /** First proof-of-stake block, if known (0: every block). Absent: the merge is where the difficulty becomes 0. */
  readonly mergeBlock?: bigint;
  /**
   * @param timestamp seconds
   * @param difficulty the block's difficulty; above 0 means before the merge. Absent for a future block.
   */
  at(number: bigint, timestamp: bigint, difficulty?: bigint): Hardfork;
}

/** Overrides the maximum size of code (EIP-170) in bytes, and that of init code (EIP-3860), which is twice as large. */
export function codeSizeLimit(bytes: number): ParamsDict {
  // EthereumJS lists the parameter of EIP-170 under EIP-607, the hardfork that introduced it.
  const limits = { maxCodeSize: bytes, maxInitCodeSize: 2 * bytes };
  return { 607: { maxCodeSize: bytes }, 3860: { maxInitCodeSize: 2 * bytes }, 7954: limits };
}

/** The schedule of the built-in genesis: one hardfork applies from the first block on. */
export function singleHardfork(
  chainId: bigint,
  name: HardforkName,
  customCrypto: CustomCrypto,
  overrides: ParamsDict = {},
): HardforkSchedule {
  const hardfork = hardforkOf(chainId, name, customCrypto, undefined, overrides);
  return { chainId, ...(hardfork.atLeast('paris') && { mergeBlock: 0n }), at: () => hardfork };
}

/** Hardforks that EthereumJS doesn't define: their EIPs and changed parameters. */
const OWN_HARDFORKS: Partial<Record<HardforkName, HardforkConfig>> = {
  bpo3: {},
  bpo4: {},
  bpo5: {},
};

/** Mainnet's hardforks, with {@link OWN_HARDFORKS} inserted in order. */
const CHAIN = {
  hardforks: [
    // Hardforks of EthereumJS that devnet doesn't list come first, before those that are ordered by time.
    ...Mainnet.hardforks.filter(({ name }) => !(HARDFORKS as readonly string[]).includes(name)),
    ...HARDFORKS.flatMap((name) =>
      OWN_HARDFORKS[name]
        ? [{ name, block: null }]
        : Mainnet.hardforks.filter((hardfork) => hardfork.name === name),
    ),
  ],
  customHardforks: OWN_HARDFORKS as Record<string, HardforkConfig>,
};

/** The blob schedule of a hardfork: its own, or that of the latest preceding hardfork that has one. */
function blobsOf(name: HardforkName): BlobSchedule | undefined {
  const rows: Partial<Record<HardforkName, (typeof BLOB_SCHEDULE)[keyof typeof BLOB_SCHEDULE]>> =
    BLOB_SCHEDULE;
  const newest = HARDFORKS.findLast((one) => rows[one] && isSince(name, one));
  if (!newest) return undefined;
  const { target, max, baseFeeUpdateFraction } = rows[newest]!;
  return {
    target: BigInt(target) << 17n,
    max: BigInt(max) << 17n,
    updateFraction: BigInt(baseFeeUpdateFraction),
  };
}

/** A hardfork for a chain with this id. */
export function hardforkOf(
  chainId: bigint,
  name: HardforkName,
  customCrypto: CustomCrypto,
  blobs?: BlobSchedule,
  overrides?: ParamsDict,
): Hardfork {
  const options = { hardfork: name, customCrypto };
  const common = createCustomCommon({ ...CHAIN, chainId: Number(chainId) }, Mainnet, options);
  return new Hardfork(common, blobs ?? blobsOf(name), overrides);
}
