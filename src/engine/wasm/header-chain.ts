import { giveBackCore, takeCore } from './core-pool.ts';
import { LinearMemory } from './linear-memory.ts';

const HASH_BYTES = 32;
/** Offset of the parent's hash in a header: after the RLP prefixes of the list and of the string. */
const PARENT_HASH = 4;
/** Maximum size of Keccak-256's padding, in bytes. */
const PADDING = 136;

/** Consecutive headers that differ only in parent hash, number, time and prevRandao, which have the same offsets in all of them. */
export interface HeaderRun {
  /** RLP of the first header; its parent hash and prevRandao are ignored */
  readonly header: Uint8Array;
  /** offsets in the RLP: the ends of the number and the time, and the start of prevRandao */
  readonly places: { readonly number: number; readonly time: number; readonly prevRandao: number };
  /** of the first header */
  readonly number: bigint;
  /** of the first header, in seconds */
  readonly time: bigint;
  /** seconds between consecutive blocks */
  readonly step: bigint;
  readonly count: number;
}

/**
 * Computes the hashes of headers, concatenated. Each header is the parent of the next.
 * @param parentHash the parent hash of the first header
 * @param seed the seed of prevRandao, see `prevRandaoOf`
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
