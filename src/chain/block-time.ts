import type { Header } from './block.ts';

/**
 * A block's time in milliseconds, for chains on which several blocks may have the same timestamp, such as Base since Denim: within
 * a second, each block is one slot after its parent. Computed from the headers alone, so it isn't stored.
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
  // After a late tick, a second may have more blocks than slots. They stay in that second: 1 ms apart, after the last
  // slot.
  while (before < 999 && headerOf(number - 1n - BigInt(before))?.timestamp === timestamp) before++;
  const slots = Math.min(before, slotsPerSecond - 1);
  return timestamp * 1_000n + BigInt(Math.min(slots * slot + (before - slots), 999));
}
