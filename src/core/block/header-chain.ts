// The hashes of headers in a row that differ only in their parent's hash, number, time and prevRandao.
import { keccakPadded, keccakPaddedPair, pad } from '../memory/keccak.ts';
import { copyWord } from '../memory/words.ts';

/** where the parent's hash begins in a header: behind the prefixes of the list and of the string */
const PARENT_HASH: usize = 4;

/**
 * Writes the hashes of `count` headers to `to`, 32 bytes each. The places and sizes of their fields are the same.
 * @param header RLP of the first, with its parent's hash, with room for 136 bytes of padding behind it
 * @param numberEnd where the number ends in it
 * @param timeEnd where the time ends in it
 * @param randaoAt where prevRandao begins in it
 * @param step seconds from each block to the next
 * @param seeds two copies of what prevRandao is the hash of, each with room for 136 bytes of padding: the chain's seed and 32 bytes
 *   for the number
 * @param seedLength of one of them, without the padding
 */
export function hashHeaders(
  header: usize, length: u32, numberEnd: usize, timeEnd: usize, randaoAt: usize,
  number: u64, time: u64, step: u64, seeds: usize, seedLength: u32, count: u32, to: usize,
): void {
  const blocks = pad(header, length), other = seeds + seedLength + 136;
  const seedBlocks = pad(seeds, seedLength);
  pad(other, seedLength);
  for (let i: u32 = 0; i < count; i++, number++, time += step, to += 32) {
    // Of two headers at a time.
    if (!(i & 1)) {
      store<u64>(seeds + seedLength - 8, bswap<u64>(number));
      store<u64>(other + seedLength - 8, bswap<u64>(number + 1));
      keccakPaddedPair(randaoAt, seeds, NEXT_RANDAO, other, seedBlocks);
    } else copyWord(randaoAt, NEXT_RANDAO);
    writeNumber(numberEnd, number);
    writeNumber(timeEnd, time);
    keccakPadded(to, header, blocks);
    copyWord(header + PARENT_HASH, to);
  }
}

const NEXT_RANDAO: usize = memory.data(32);

/** Writes a number without leading zeros, big-endian. */
function writeNumber(end: usize, value: u64): void {
  for (; value; value >>= 8) store<u8>(--end, <u8>value);
}
