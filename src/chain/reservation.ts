import { equalsBytes } from '@ethereumjs/util';
import { type HeaderRun, hashHeaders } from '../engine/wasm/header-chain.ts';
import type { BlockStart } from '../engine/workspace.ts';
import type { BlockEnv } from '../protocol/types.ts';
import { ZERO_HASH } from '../state/account.ts';
import { integerBytes, integerOf } from '../state/integers.ts';
import { decodeRlp, encodeRlp, type RlpOutput, readList } from '../state/rlp-items.ts';
import type { Block, Header } from './block.ts';
import { decodeHeader, encodeHeader } from './header.ts';
import { prevRandaoOf } from './prev-randao.ts';
import { encodeBlock } from './store/block-codec.ts';

/** Number of blocks per run. Reading a block computes the hashes of its run, starting from the stored hash before the run. */
const RUN = 256;
/** Number of runs that are computed in one step, which takes a few milliseconds. */
const STEP = 4;
/** Number of cached runs. */
const MAX_RUNS = 8;
const HASH_BYTES = 32;
const NONE: readonly never[] = [];

/** The header fields that follow from the parent's: the base fee (EIP-1559) and the excess blob gas (EIP-4844). */
export type FollowingFees = Pick<Header, 'baseFeePerGas' | 'excessBlobGas'>;

export interface ReservationParts {
  /** header of the first block */
  readonly header: Header;
  /** number of blocks, at least 1 */
  readonly count: number;
  /** seconds from each block to the next */
  readonly step: bigint;
  /** prevRandao of each block derives from it, see `prevRandaoOf` */
  readonly seed: Uint8Array;
  /** fees of the first blocks, up to the block from which on they stay the same */
  readonly fees: readonly FollowingFees[];
}

/**
 * Consecutive empty blocks that aren't stored but computed lazily. Their headers are linked by hashes like those of all
 * blocks. All of them have the state of the block before the first one: the protocol's writes at the start of a block
 * (EIP-2935, EIP-4788) are omitted, and made after the last block, see `stateAfter`.
 */
export class Reservation {
  readonly #parts: ReservationParts;
  /** the hashes before each run: at least that of the first run, others once the previous run was computed */
  readonly #before: Uint8Array;
  /** number of hashes in `#before` */
  #computed = 1;
  /** the first 4 bytes of each block's hash, to find a block by its hash; incomplete after a restart */
  readonly #tags: Uint32Array;
  /** number of blocks whose tag is known */
  #tagged = 0;
  /** index of the block that was found last */
  #found = 0;
  readonly #runs = new Map<number, Uint8Array>();
  #lastHash: Uint8Array | undefined;

  constructor(parts: ReservationParts, before?: Uint8Array) {
    this.#parts = parts;
    this.#before = new Uint8Array((Math.ceil(parts.count / RUN) + 1) * HASH_BYTES);
    this.#before.set(before ?? parts.header.parentHash);
    if (before) this.#computed = before.length / HASH_BYTES;
    this.#tags = new Uint32Array(parts.count);
  }

  /** number of the first block */
  get first(): bigint {
    return this.#parts.header.number;
  }

  /** number of the last block */
  get last(): bigint {
    return this.first + BigInt(this.#parts.count - 1);
  }

  get count(): number {
    return this.#parts.count;
  }

  get lastHash(): Uint8Array {
    this.#lastHash ??= this.hashOf(this.last);
    return this.#lastHash;
  }

  /** Whether all blocks have the same base fee and excess blob gas. */
  get keepsFees(): boolean {
    return this.#parts.fees.length === 1;
  }

  /** state root of all its headers */
  get stateRoot(): Uint8Array {
    return this.#parts.header.stateRoot;
  }

  /** Computes the hashes of the next blocks, for a few milliseconds. @returns whether more hashes remain */
  computeSome(): boolean {
    const { count } = this.#parts;
    const start = (this.#computed - 1) * RUN;
    if (start >= count) return false;
    this.#compute(start, Math.min(start + STEP * RUN, count));
    return (this.#computed - 1) * RUN < count;
  }

  /** @param number of a block in it */
  hashOf(number: bigint): Uint8Array {
    const index = Number(number - this.first);
    const run = Math.floor(index / RUN);
    while (this.#computed <= run) this.computeSome();
    let hashes = this.#runs.get(run);
    if (!hashes) {
      hashes = this.#compute(run * RUN, Math.min((run + 1) * RUN, this.#parts.count));
      if (this.#runs.size >= MAX_RUNS) this.#runs.delete(this.#runs.keys().next().value!);
      this.#runs.set(run, hashes);
    }
    return hashAt(hashes, index % RUN);
  }

  /** Number of the block with this hash; `undefined` when there is none. The first call after a restart computes all hashes. */
  numberOf(hash: Uint8Array): bigint | undefined {
    const { count } = this.#parts;
    while (this.#tagged < count) this.#compute(this.#tagged, Math.min(this.#tagged + STEP * RUN, count));
    const tag = tagOf(hash);
    const isIt = (at: number) =>
      this.#tags[at] === tag && equalsBytes(this.hashOf(this.first + BigInt(at)), hash);
    // Tries the neighbours of the block found last first: readers that follow parent hashes ask for one of them.
    let at = [this.#found - 1, this.#found + 1].find(isIt) ?? this.#tags.indexOf(tag);
    while (at >= 0 && !isIt(at)) at = this.#tags.indexOf(tag, at + 1);
    if (at < 0) return undefined;
    this.#found = at;
    return this.first + BigInt(at);
  }

  /** @param number of a block in it */
  header(number: bigint): Header {
    const { header, step } = this.#parts;
    const index = Number(number - this.first);
    return {
      ...header,
      ...this.#feesAt(index),
      parentHash: this.#parentHashOf(index),
      number,
      timestamp: header.timestamp + BigInt(index) * step,
      mixHash: prevRandaoOf(this.#parts.seed, number),
    };
  }

  /** @param number of a block in it */
  block(number: bigint): Block {
    const header = this.header(number);
    const withdrawals = header.withdrawalsRoot && { withdrawals: NONE };
    const content = { header, transactions: NONE, uncles: NONE, ...withdrawals };
    return { ...content, hash: this.hashOf(number), receipts: NONE, size: encodeBlock(content).length };
  }

  /** The inputs of the protocol's writes at the start of a block. @param number number of a block in the reservation */
  start(number: bigint): BlockStart {
    const { header, step, seed } = this.#parts;
    const { coinbase, gasLimit, difficulty, extraData, parentBeaconBlockRoot = ZERO_HASH } = header;
    const index = Number(number - header.number);
    const { baseFeePerGas, excessBlobGas = 0n } = this.#feesAt(index);
    const env: BlockEnv = {
      number,
      timestamp: header.timestamp + BigInt(index) * step,
      coinbase,
      gasLimit,
      difficulty,
      prevRandao: prevRandaoOf(seed, number),
      ...(baseFeePerGas !== undefined && { baseFeePerGas }),
      blockHash: () => undefined,
    };
    const parentHash = this.#parentHashOf(index);
    return { env, parentHash, parentBeaconBlockRoot, excessBlobGas, extraData };
  }

  /** Encodes the reservation for the store. All hashes must have been computed. */
  encode(): Uint8Array {
    const { header, count, step, seed, fees } = this.#parts;
    return encodeRlp([
      encodeHeader(header),
      integerBytes(BigInt(count)),
      integerBytes(step),
      seed,
      fees.map(({ baseFeePerGas, excessBlobGas }) => [optional(baseFeePerGas), optional(excessBlobGas)]),
      this.#before,
    ]);
  }

  /** Inverse of {@link Reservation.encode}. @throws Error for other bytes */
  static decode(bytes: Uint8Array): Reservation {
    const [header, count, step, seed, fees, before] = decodeRlp(bytes) as [
      Uint8Array,
      Uint8Array,
      Uint8Array,
      Uint8Array,
      RlpOutput[][],
      Uint8Array,
    ];
    const parts = {
      header: decodeHeader(header),
      count: Number(integerOf(count)),
      step: integerOf(step),
      seed,
      fees: fees.map(([baseFee, excess]) => ({
        ...member('baseFeePerGas', baseFee),
        ...member('excessBlobGas', excess),
      })),
    };
    return new Reservation(parts, before);
  }

  #parentHashOf(index: number): Uint8Array {
    const { parentHash, number } = this.#parts.header;
    return index === 0 ? parentHash : this.hashOf(number + BigInt(index - 1));
  }

  #feesAt(index: number): FollowingFees {
    const { fees } = this.#parts;
    return fees[Math.min(index, fees.length - 1)]!;
  }

  /**
   * Computes the hashes of the blocks from `start` to before `end`.
   * @param start index of the first block of a run; the hash before that run must be known
   * @param end index after the last block: the end of a run, or of the reservation
   */
  #compute(start: number, end: number): Uint8Array {
    const { header, step, seed } = this.#parts;
    const runs: HeaderRun[] = [];
    for (let index = start; index < end; ) {
      const number = header.number + BigInt(index);
      const time = header.timestamp + BigInt(index) * step;
      const bytes = encodeHeader({ ...header, ...this.#feesAt(index), number, timestamp: time });
      const items = readList(bytes);
      const places = { number: items[8]!.end, time: items[11]!.end, prevRandao: items[13]!.start };
      const count = this.#keepsFeesFrom(index)
        ? Math.min(end - index, ofSameLength(number, 1n), ofSameLength(time, step))
        : 1;
      runs.push({ header: bytes, places, number, time, step, count });
      index += count;
    }
    const hashes = hashHeaders(runs, hashAt(this.#before, start / RUN), seed);
    for (let at = RUN; at <= end - start; at += RUN) this.#keep(start + at, hashes, at);
    if (end % RUN > 0) this.#keep(Math.ceil(end / RUN) * RUN, hashes, end - start);
    if (start === this.#tagged) {
      for (let i = 0; i < end - start; i++) this.#tags[start + i] = tagOf(hashes, i * HASH_BYTES);
      this.#tagged = end;
    }
    return hashes;
  }

  /** Stores the hash before a run: the last of the first `count` given hashes. @param index index of the run's first block */
  #keep(index: number, hashes: Uint8Array, count: number): void {
    const run = index / RUN;
    if (run < this.#computed) return;
    this.#before.set(hashAt(hashes, count - 1), run * HASH_BYTES);
    this.#computed = run + 1;
  }

  #keepsFeesFrom(index: number): boolean {
    return index >= this.#parts.fees.length - 1;
  }
}

/** How many numbers of the series `first`, `first + step`, ... have an RLP encoding of the same length as `first`. */
function ofSameLength(first: bigint, step: bigint): number {
  if (step === 0n) return Number.POSITIVE_INFINITY;
  // In RLP a number below 0x80 is a single byte, and 0 is the empty string.
  let end = first === 0n ? 1n : 0x80n;
  for (let bytes = 1n; end <= first; bytes++) end = 1n << (8n * bytes);
  return Number((end - first - 1n) / step) + 1;
}

function hashAt(hashes: Uint8Array, index: number): Uint8Array {
  return hashes.slice(index * HASH_BYTES, (index + 1) * HASH_BYTES);
}

function tagOf(hashes: Uint8Array, at = 0): number {
  return ((hashes[at]! << 24) | (hashes[at + 1]! << 16) | (hashes[at + 2]! << 8) | hashes[at + 3]!) >>> 0;
}

const optional = (value: bigint | undefined) => (value === undefined ? NONE : integerBytes(value));

function member<N extends string>(name: N, value: RlpOutput | undefined): { readonly [K in N]?: bigint } {
  return (value instanceof Uint8Array ? { [name]: integerOf(value) } : {}) as { readonly [K in N]?: bigint };
}
