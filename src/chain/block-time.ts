import type { Header } from './block.ts';

/**
 * A block's time in milliseconds, where several share a second as on Base since Denim: each is a slot after its parent,
 * counted from the second's first block. Follows from the chain alone, so that it needs no place in it.
 * @param slot milliseconds from block to block
 * @param headerOf headers of the block's ancestors
 */
export function timestampMs(
  { number, timestamp }: Header,
  slot: number,
  headerOf: (number: bigint) => Header | undefined,
): bigint {
  const whole = Math.floor(1_000 / slot);
  let before = 0;
  // A block more than fits the second is a late tick's doing. It stays in its second, after the others.
  while (before < 999 && headerOf(number - 1n - BigInt(before))?.timestamp === timestamp) before++;
  const slots = Math.min(before, whole - 1);
  return timestamp * 1_000n + BigInt(Math.min(slots * slot + (before - slots), 999));
}
