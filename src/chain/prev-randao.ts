import { keccak256 } from '../state/keccak.ts';

/** prevRandao of a block, unless it was set for that block. @param seed bytes of the chain's seed */
export function prevRandaoOf(seed: Uint8Array, number: bigint): Uint8Array {
  const input = new Uint8Array(seed.length + 32);
  input.set(seed);
  new DataView(input.buffer).setBigUint64(input.length - 8, number);
  return keccak256(input);
}
