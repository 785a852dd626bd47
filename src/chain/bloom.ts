import type { Log } from '../evm/types.ts';
import { keccak256 } from '../state/keccak.ts';

export const EMPTY_BLOOM = new Uint8Array(256);

function bits(value: Uint8Array): [number, number][] {
  const hash = keccak256(value);
  return [0, 2, 4].map((i) => {
    const bit = ((hash[i]! << 8) | hash[i + 1]!) & 2047;
    return [255 - (bit >> 3), 1 << (bit & 7)];
  });
}

/** The logs bloom of the yellow paper, section 4.3.1: 256 bytes. */
export function bloomOf(logs: readonly Log[]): Uint8Array {
  if (logs.length === 0) return EMPTY_BLOOM;
  const bloom = new Uint8Array(256);
  for (const log of logs) {
    for (const value of [log.address.bytes, ...log.topics]) {
      for (const [byte, mask] of bits(value)) bloom[byte]! |= mask;
    }
  }
  return bloom;
}

/** The union of blooms. */
export function mergeBlooms(blooms: Iterable<Uint8Array>): Uint8Array {
  const merged = new Uint8Array(256);
  for (const bloom of blooms) {
    if (bloom === EMPTY_BLOOM) continue;
    for (let i = 0; i < 256; i++) merged[i]! |= bloom[i]!;
  }
  return merged;
}

/** False only when `value` (an address or a topic) is in none of the logs behind the bloom. */
export function bloomMayHold(bloom: Uint8Array, value: Uint8Array): boolean {
  return bits(value).every(([byte, mask]) => (bloom[byte]! & mask) !== 0);
}
