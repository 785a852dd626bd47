import { keccak256 } from '../state/keccak.ts';
import type { Log } from './types.ts';

export const EMPTY_BLOOM = new Uint8Array(256);

export function isEmptyBloom(bloom: Uint8Array): boolean {
  return Buffer.compare(bloom, EMPTY_BLOOM) === 0;
}

/** The three bits that an item sets in a bloom filter, as byte index and mask (yellow paper, 4.4.1). */
export type BloomBits = readonly (readonly [byte: number, mask: number])[];

/** @param item an address or a topic */
export function bloomBits(item: Uint8Array): BloomBits {
  const hash = keccak256(item);
  return [0, 2, 4].map((at) => {
    const bit = ((hash[at]! << 8) | hash[at + 1]!) & 2047;
    return [255 - (bit >> 3), 1 << (bit & 7)] as const;
  });
}

/** Whether the filter may contain the item. `false` is certain. */
export function bloomHas(bloom: Uint8Array, bits: BloomBits): boolean {
  return bits.every(([byte, mask]) => (bloom[byte]! & mask) !== 0);
}

/** The bloom filter of logs: 256 bytes. */
export function bloomOf(logs: readonly Log[]): Uint8Array {
  if (logs.length === 0) return EMPTY_BLOOM;
  const bloom = new Uint8Array(256);
  for (const { address, topics } of logs) {
    setBits(bloom, address.bytes);
    for (const topic of topics) setBits(bloom, topic);
  }
  return bloom;
}

function setBits(bloom: Uint8Array, item: Uint8Array): void {
  const hash = keccak256(item);
  for (let at = 0; at < 6; at += 2) {
    const bit = ((hash[at]! << 8) | hash[at + 1]!) & 2047;
    bloom[255 - (bit >> 3)]! |= 1 << (bit & 7);
  }
}

/** The union of bloom filters; if only one isn't empty, that filter itself. */
export function mergeBlooms(blooms: Iterable<Uint8Array>): Uint8Array {
  const filled = [...blooms].filter((bloom) => bloom !== EMPTY_BLOOM);
  if (filled.length < 2) return filled[0] ?? EMPTY_BLOOM;
  const merged = new Uint8Array(256);
  for (const bloom of filled) for (let i = 0; i < 256; i++) merged[i]! |= bloom[i]!;
  return merged;
}
