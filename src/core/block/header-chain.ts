// The hashes of consecutive headers that differ only in parent hash, number, time and prevRandao.
import { keccakPadded, keccakPaddedPair, pad } from '../memory/keccak.ts';
import { copyWord } from '../memory/words.ts';

/** offset of the parent hash in a header: after the RLP prefixes of the list and of the string */
const PARENT_HASH: usize = 4;

/**
 * Writes the hashes of `count` headers to `to`, 32 bytes each. All have the same layout and field sizes.
 * @param header RLP of the first header, with its parent hash, followed by room for 136 bytes of padding
 * @param numberEnd address of the end of the number
 * @param timeEnd address of the end of the time
 * @param randaoAt address of prevRandao
 * @param step seconds between consecutive blocks
 * @param seeds two copies of the preimage of prevRandao, each followed by room for 136 bytes of padding: the chain's seed and 32 bytes
 *   for the number
 * @param seedLength length of one of them, without the padding
 */
export function hashHeaders(
  header: usize, length: u32, numberEnd: usize, timeEnd: usize, randaoAt: usize,
  number: u64, time: u64, step: u64, seeds: usize, seedLength: u32, count: u32, to: usize,
): void {
  const blocks = pad(header, length), other = seeds + seedLength + 136;
  const seedBlocks = pad(seeds, seedLength);
  pad(other, seedLength);
  for (let i: u32 = 0; i < count; i++, number++, time += step, to += 32) {
    // Computes prevRandao for two headers at a time.
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

/** Writes a big-endian number without leading zeros. */
function writeNumber(end: usize, value: u64): void {
  for (; value; value >>= 8) store<u8>(--end, <u8>value);
}
