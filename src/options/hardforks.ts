import type { HardforkName } from '../evm/hardfork.ts';

/** Other names that anvil and Hardhat take; `latest` is the default rather than the newest blob schedule. */
export const HARDFORK_ALIASES: Readonly<Record<string, HardforkName>> = {
  latest: 'osaka',
  frontier: 'chainstart',
  tangerine: 'tangerineWhistle',
  merge: 'paris',
};
