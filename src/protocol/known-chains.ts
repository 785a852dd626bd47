import type { HardforkName } from './hardfork.ts';

/** The start of a hardfork: a block number up to the merge, a timestamp (seconds since the Unix epoch) after it. */
type Began = { readonly block: bigint } | { readonly time: bigint };

const block = (number: number): Began => ({ block: BigInt(number) });
const time = (seconds: number): Began => ({ time: BigInt(seconds) });

interface KnownChain {
  readonly name: string;
  /** the earliest first */
  readonly hardforks: readonly (readonly [name: HardforkName, began: Began])[];
}

/** Upgrades of the OP Stack activate at the same time on OP Mainnet and Base; each corresponds to the EVM of an Ethereum hardfork. */
const SUPERCHAIN: KnownChain['hardforks'] = [
  ['paris', block(0)],
  // Canyon, Ecotone, Isthmus. Jovian changes nothing in the EVM.
  ['shanghai', time(1_704_992_401)],
  ['cancun', time(1_710_374_401)],
  ['prague', time(1_746_806_401)],
];

const SUPERCHAIN_SEPOLIA: KnownChain['hardforks'] = [
  ['paris', block(0)],
  ['shanghai', time(1_699_981_200)],
  ['cancun', time(1_708_534_800)],
  ['prague', time(1_744_905_600)],
];

/** Known chains by chain id. Block numbers and timestamps are from the chains' own configurations (geth's params, superchain-registry). */
const KNOWN: Readonly<Record<string, KnownChain>> = {
  1: {
    name: 'Ethereum',
    hardforks: [
      ['chainstart', block(0)],
      ['homestead', block(1_150_000)],
      ['dao', block(1_920_000)],
      ['tangerineWhistle', block(2_463_000)],
      ['spuriousDragon', block(2_675_000)],
      ['byzantium', block(4_370_000)],
      ['petersburg', block(7_280_000)],
      ['istanbul', block(9_069_000)],
      ['muirGlacier', block(9_200_000)],
      ['berlin', block(12_244_000)],
      ['london', block(12_965_000)],
      ['arrowGlacier', block(13_773_000)],
      ['grayGlacier', block(15_050_000)],
      ['paris', block(15_537_394)],
      ['shanghai', time(1_681_338_455)],
      ['cancun', time(1_710_338_135)],
      ['prague', time(1_746_612_311)],
      ['osaka', time(1_764_798_551)],
      ['bpo1', time(1_765_290_071)],
      ['bpo2', time(1_767_747_671)],
    ],
  },
  11155111: {
    name: 'Sepolia',
    hardforks: [
      ['london', block(0)],
      ['paris', block(1_450_409)],
      ['shanghai', time(1_677_557_088)],
      ['cancun', time(1_706_655_072)],
      ['prague', time(1_741_159_776)],
      ['osaka', time(1_760_427_360)],
      ['bpo1', time(1_761_017_184)],
      ['bpo2', time(1_761_607_008)],
    ],
  },
  560048: {
    name: 'Hoodi',
    hardforks: [
      ['cancun', block(0)],
      ['prague', time(1_742_999_832)],
      ['osaka', time(1_761_677_592)],
      ['bpo1', time(1_762_365_720)],
      ['bpo2', time(1_762_955_544)],
    ],
  },
  10: { name: 'OP Mainnet', hardforks: SUPERCHAIN },
  8453: { name: 'Base', hardforks: SUPERCHAIN },
  11155420: { name: 'OP Sepolia', hardforks: SUPERCHAIN_SEPOLIA },
  84532: { name: 'Base Sepolia', hardforks: SUPERCHAIN_SEPOLIA },
};

/** Chains that can't be forked, because devnet can't continue their blocks: chain id -> name and reason. */
const OTHERWISE: Readonly<Record<string, readonly [name: string, reason: string]>> = Object.fromEntries(
  [
    [42161, 'Arbitrum One'],
    [42170, 'Arbitrum Nova'],
    [421614, 'Arbitrum Sepolia'],
  ].map(([id, name]) => [
    id,
    [
      name,
      'its gas pays for data on Ethereum too, its block numbers in contracts are those of Ethereum, and its precompiled contracts are not here',
    ],
  ]),
);

/** The name of a chain; `undefined` if the chain isn't known. */
export function chainName(chainId: bigint): string | undefined {
  return KNOWN[`${chainId}`]?.name ?? OTHERWISE[`${chainId}`]?.[0];
}

/** Why a chain can't be forked, as the end of the sentence "blocks of ... are not Ethereum's: ..."; `undefined` if it can be. */
export function whyNotForked(chainId: bigint): string | undefined {
  return OTHERWISE[`${chainId}`]?.[1];
}

/**
 * The hardfork that applies to the block after a given one on a known chain; `undefined` on other chains.
 * @param at number and timestamp (seconds) of the given block
 */
export function knownHardfork(
  chainId: bigint,
  at: { readonly number: bigint; readonly timestamp: bigint },
): HardforkName | undefined {
  const begun = KNOWN[`${chainId}`]?.hardforks.filter(([, began]) =>
    'block' in began ? at.number + 1n >= began.block : at.timestamp >= began.time,
  );
  return begun?.at(-1)?.[0];
}
