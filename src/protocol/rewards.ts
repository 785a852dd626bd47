import type { Address } from '@ethereumjs/util';
import { addBalance } from '../state/add-balance.ts';
import type { Overlay } from '../state/overlay.ts';
import type { Hardfork } from './hardfork.ts';

const ETHER = 10n ** 18n;

/** The fields of an uncle's header that determine the rewards. */
export interface Uncle {
  readonly number: bigint;
  readonly coinbase: Address;
}

/** Reward in wei of a proof-of-work block: yellow paper 11.3, EIP-649, EIP-1234. */
export function blockReward(hardfork: Hardfork): bigint {
  if (hardfork.atLeast('constantinople')) return 2n * ETHER;
  return hardfork.atLeast('byzantium') ? 3n * ETHER : 5n * ETHER;
}

/**
 * Reward in wei of an uncle in the block with this number.
 * @param uncle number of the uncle
 * @param reward see {@link blockReward}
 */
export function uncleReward(uncle: bigint, number: bigint, reward: bigint): bigint {
  return ((uncle + 8n - number) * reward) / 8n;
}

/** Reward in wei of the block's coinbase, including the part for its uncles. @param uncles number of its uncles */
export function ownReward(uncles: number, reward: bigint): bigint {
  return reward + (BigInt(uncles) * reward) / 32n;
}

/** Pays the rewards of a proof-of-work block and of its uncles; `state` receives the writes. */
export async function payRewards(
  block: { readonly number: bigint; readonly coinbase: Address },
  uncles: readonly Uncle[],
  hardfork: Hardfork,
  state: Overlay,
): Promise<void> {
  const reward = blockReward(hardfork);
  for (const uncle of uncles)
    await addBalance(state, uncle.coinbase, uncleReward(uncle.number, block.number, reward));
  await addBalance(state, block.coinbase, ownReward(uncles.length, reward));
}
