import { giveBackCore, takeCore } from './core-pool.ts';
import { LinearMemory } from './linear-memory.ts';

const HASH_BYTES = 32;
/** Where the parent's hash begins in a header: behind the prefixes of the list and of the string. */
const PARENT_HASH = 4;
/** Bytes that Keccak-256 pads its input with, at most. */
const PADDING = 136;

/** Headers in a row that differ only in their parent's hash, number, time and prevRandao, whose places are the same in all. */
export interface HeaderRun {
  /** RLP of the first. It needn't have the parent's hash and prevRandao */
  readonly header: Uint8Array;
  /** where the number and the time end in it, and where prevRandao begins */
  readonly places: { readonly number: number; readonly time: number; readonly prevRandao: number };
  /** of the first */
  readonly number: bigint;
  /** of the first, seconds */
  readonly time: bigint;
  /** seconds from each block to the next */
  readonly step: bigint;
  readonly count: number;
}

/**
 * The hashes of headers, one behind the other. The parent of each is the one before.
 * @param parentHash of the first
 * @param seed what prevRandao derives from, see `prevRandaoOf`
 */
export function hashHeaders(
  runs: readonly HeaderRun[],
  parentHash: Uint8Array,
  seed: Uint8Array,
): Uint8Array {
  const instance = takeCore(false);
  const { core } = instance;
  const memory = new LinearMemory(core.memory);
  const hashes = new Uint8Array(runs.reduce((sum, { count }) => sum + count, 0) * HASH_BYTES);
  const seedLength = seed.length + 32;
  const seedRoom = seedLength + PADDING;
  let done = 0;
  let parent = parentHash;
  for (const { header, places, number, time, step, count } of runs) {
    const seeds = header.length + PADDING;
    const to = seeds + 2 * seedRoom;
    const at = core.stage(to + count * HASH_BYTES);
    memory.write(at, header);
    memory.write(at + PARENT_HASH, parent);
    const seedAndNumber = new Uint8Array(seedLength);
    seedAndNumber.set(seed);
    memory.write(at + seeds, seedAndNumber);
    memory.write(at + seeds + seedRoom, seedAndNumber);
    core.hashHeaders(
      at,
      header.length,
      at + places.number,
      at + places.time,
      at + places.prevRandao,
      number,
      time,
      step,
      at + seeds,
      seedLength,
      count,
      at + to,
    );
    hashes.set(memory.view(at + to, count * HASH_BYTES), done * HASH_BYTES);
    done += count;
    parent = hashes.subarray((done - 1) * HASH_BYTES, done * HASH_BYTES);
  }
  giveBackCore(instance);
  return hashes;
}
