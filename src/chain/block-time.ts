import type { Header } from './block.ts';

/**
 * A block's time in milliseconds, for chains where several blocks share a second, as on Base since Denim: within a
 * second, each block is one slot after its parent. Computed from the chain's headers alone, so it needn't be stored.
 * @param slot milliseconds between blocks
 * @param headerOf returns the headers of the block's ancestors
 */
export function timestampMs(
  { number, timestamp }: Header,
  slot: number,
  headerOf: (number: bigint) => Header | undefined,
): bigint {
  const slotsPerSecond = Math.floor(1_000 / slot);
  let before = 0;
  // A late tick can put more blocks into a second than it has slots. They stay in that second, 1 ms apart after the
  // last slot.
  while (before < 999 && headerOf(number - 1n - BigInt(before))?.timestamp === timestamp) before++;
  const slots = Math.min(before, slotsPerSecond - 1);
  return timestamp * 1_000n + BigInt(Math.min(slots * slot + (before - slots), 999));
}
