import { keccak256 } from '../state/keccak.ts';

/** The three bits of a bloom filter that an item sets: byte index and mask each (yellow paper, 4.4.1). */
export type BloomBits = readonly (readonly [byte: number, mask: number])[];

/** @param item an address or a topic */
export function bloomBits(item: Uint8Array): BloomBits {
  const hash = keccak256(item);
  return [0, 2, 4].map((at) => {
    const bit = ((hash[at]! << 8) | hash[at + 1]!) & 2047;
    return [255 - (bit >> 3), 1 << (bit & 7)] as const;
  });
}

/** Whether the item may be in it; never wrong about an item that is. */
export function bloomHas(bloom: Uint8Array, bits: BloomBits): boolean {
  return bits.every(([byte, mask]) => (bloom[byte]! & mask) !== 0);
}
