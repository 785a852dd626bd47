import type { Hardfork } from '../evm/fork.ts';

/** Other names that anvil and Hardhat take; `latest` is the default rather than the newest blob schedule. */
export const HARDFORK_ALIASES: Readonly<Record<string, Hardfork>> = {
  latest: 'osaka',
  frontier: 'chainstart',
  tangerine: 'tangerineWhistle',
  merge: 'paris',
};
