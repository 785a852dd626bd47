import type { Address } from '@ethereumjs/util';
import type { Hardfork } from '../evm/hardfork.ts';
import { NEW_ACCOUNT } from '../state/account.ts';
import type { Overlay } from '../state/overlay.ts';
import type { Header } from './block.ts';

const ETHER = 10n ** 18n;
/** An uncle is at most this many generations older than the block that names it (yellow paper 11.1). */
export const MAX_UNCLE_DEPTH = 7n;

/** Wei for a block of proof of work: yellow paper 11.3, EIP-649, EIP-1234. */
export function blockReward(hardfork: Hardfork): bigint {
  if (hardfork.atLeast('constantinople')) return 2n * ETHER;
  return hardfork.atLeast('byzantium') ? 3n * ETHER : 5n * ETHER;
}

/** Wei for an uncle that the block with this number names. @param reward see {@link blockReward} */
export function uncleReward(uncle: bigint, number: bigint, reward: bigint): bigint {
  return ((uncle + 8n - number) * reward) / 8n;
}

/** Wei for the block itself, with that for naming its uncles. */
export function ownReward(uncles: number, reward: bigint): bigint {
  return reward + (BigInt(uncles) * reward) / 32n;
}

/** Pays a block of proof of work and its uncles; `state` takes the writes. */
export async function payRewards(
  block: { readonly number: bigint; readonly coinbase: Address },
  uncles: readonly Header[],
  hardfork: Hardfork,
  state: Overlay,
): Promise<void> {
  const reward = blockReward(hardfork);
  for (const uncle of uncles)
    await pay(state, uncle.coinbase, uncleReward(uncle.number, block.number, reward));
  await pay(state, block.coinbase, ownReward(uncles.length, reward));
}

async function pay(state: Overlay, address: Address, wei: bigint): Promise<void> {
  const account = (await state.getAccount(address)) ?? NEW_ACCOUNT;
  state.setAccount(address, { ...account, balance: account.balance + wei });
}
