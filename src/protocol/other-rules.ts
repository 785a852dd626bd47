import type { CustomCrypto } from '@ethereumjs/common';
import {
  type Hardfork,
  type HardforkName,
  type HardforkSchedule,
  hardforkOf,
  withRules,
} from './hardfork.ts';

/**
 * The schedule of the same chain as if one hardfork applied to all of its blocks: chain id, code size limits and the rules of the OP Stack
 * stay those of the chain. The blob schedule is mainnet's for that hardfork (EIP-7840).
 */
export function otherRules(
  schedule: HardforkSchedule,
  name: HardforkName,
  crypto: CustomCrypto,
): HardforkSchedule {
  // A WeakMap, since each `anvil_setChainId` makes new hardforks.
  const made = new WeakMap<Hardfork, Hardfork>();
  return {
    get chainId() {
      return schedule.chainId;
    },
    ...(schedule.depositContract && { depositContract: schedule.depositContract }),
    ...(schedule.optimism && { optimism: true }),
    at: (...place) => {
      const own = schedule.at(...place);
      let other = made.get(own);
      if (!other) {
        const plain = hardforkOf(schedule.chainId, name, crypto, undefined, own.overrides);
        other = withRules(plain, own.chainRules);
        made.set(own, other);
      }
      return other;
    },
  };
}
