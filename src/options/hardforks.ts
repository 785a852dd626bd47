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

/** Other names that anvil and Hardhat take; `latest` is the default rather than the newest blob schedule. */
export const HARDFORK_ALIASES: Readonly<Record<string, Hardfork>> = {
  latest: 'osaka',
  frontier: 'chainstart',
  tangerine: 'tangerineWhistle',
  merge: 'paris',
};
