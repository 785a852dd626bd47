import { integerBytes, integerOf } from '../state/integers.ts';
import { keccak256 } from '../state/keccak.ts';
import { decodeRlp, encodeRlp, type RlpOutput, readList } from '../state/rlp-items.ts';
import type { Block, Header } from './block.ts';
import { decodeHeader, encodeHeader } from './header.ts';
import { encodeBlock } from './store/block-codec.ts';

/** Blocks whose hashes are computed in one step. The hash before each run is kept, so that no read computes more. */
const RUN = 256;
/** Runs whose hashes are kept: those that were read last. */
const MOST_RUNS = 8;
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
  /** of the first blocks, up to the one from which on they stay the same */
  readonly fees: readonly FollowingFees[];
}

/** Where the fields lie that differ between the headers of a reservation, in a header's RLP. */
interface Shape {
  readonly bytes: Uint8Array;
  readonly number: { readonly end: number; readonly length: number };
  readonly timestamp: { readonly end: number; readonly length: number };
  readonly mixHash: number;
}

/** Offset of the parent's hash in a header's RLP: the list's prefix takes 3 bytes, the string's 1. */
const PARENT_HASH = 4;

/**
 * A run of empty blocks that aren't stored: each is computed when it is read. Their headers form a chain of hashes like
 * those of all blocks. They have the state of the block before the first one: what the protocol writes at the start of a
 * block (EIP-2935, EIP-4788) is left out of them, and made up for after the last.
 */
export class Reservation {
  readonly #parts: ReservationParts;
  /** the hash before each run, as far as the runs are computed: at least that before the first */
  readonly #before: Uint8Array;
  /** number of the hashes in it */
  #computed = 1;
  /** the first 4 bytes of each block's hash, to find a block by its hash; absent until somebody looks for one */
  #tags: Uint32Array | undefined;
  readonly #runs = new Map<number, Uint8Array>();
  #lastHash: Uint8Array | undefined;
  readonly #randaoInput: Uint8Array;
  readonly #randaoNumber: DataView;

  constructor(parts: ReservationParts, before?: Uint8Array) {
    this.#parts = parts;
    this.#before = new Uint8Array((Math.ceil(parts.count / RUN) + 1) * HASH_BYTES);
    this.#before.set(before ?? parts.header.parentHash);
    if (before) this.#computed = before.length / HASH_BYTES;
    this.#randaoInput = new Uint8Array(parts.seed.length + 32);
    this.#randaoInput.set(parts.seed);
    this.#randaoNumber = new DataView(this.#randaoInput.buffer, parts.seed.length + 24);
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

  /** Computes the hashes of some more blocks, which takes about a millisecond. @returns whether there are more to compute */
  computeSome(): boolean {
    const { count } = this.#parts;
    const run = this.#computed - 1;
    if (run * RUN >= count) return false;
    this.#run(run);
    return this.#computed * RUN - RUN < count;
  }

  /** @param number of a block in it */
  hashOf(number: bigint): Uint8Array {
    const index = Number(number - this.first);
    const run = Math.floor(index / RUN);
    while (this.#computed <= run) this.#run(this.#computed - 1);
    return hashAt(this.#run(run), index % RUN);
  }

  /** Number of the block with this hash; `undefined` when there is none. The first call computes all hashes. */
  numberOf(hash: Uint8Array): bigint | undefined {
    const { count } = this.#parts;
    if (!this.#tags) {
      const tags = new Uint32Array(count);
      for (let run = 0; run * RUN < count; run++) {
        const hashes = this.#run(run);
        for (let i = 0; i < hashes.length / HASH_BYTES; i++) tags[run * RUN + i] = tagOf(hashAt(hashes, i));
      }
      this.#tags = tags;
    }
    const tag = tagOf(hash);
    for (let at = this.#tags.indexOf(tag); at >= 0; at = this.#tags.indexOf(tag, at + 1)) {
      const number = this.first + BigInt(at);
      if (Buffer.compare(this.hashOf(number), hash) === 0) return number;
    }
    return undefined;
  }

  /** @param number of a block in it */
  header(number: bigint): Header {
    const { header, step } = this.#parts;
    const index = Number(number - this.first);
    return {
      ...header,
      ...this.#feesAt(index),
      parentHash: index === 0 ? header.parentHash : this.hashOf(number - 1n),
      number,
      timestamp: header.timestamp + BigInt(index) * step,
      mixHash: this.#randaoOf(Number(number)),
    };
  }

  /** @param number of a block in it */
  block(number: bigint): Block {
    const header = this.header(number);
    const withdrawals = header.withdrawalsRoot && { withdrawals: NONE };
    const content = { header, transactions: NONE, uncles: NONE, ...withdrawals };
    return { ...content, hash: this.hashOf(number), receipts: NONE, size: encodeBlock(content).length };
  }

  /** As it is stored. All hashes must have been computed. */
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

  /** @throws Error when the bytes aren't what {@link Reservation.encode} made */
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

  #feesAt(index: number): FollowingFees {
    const { fees } = this.#parts;
    return fees[Math.min(index, fees.length - 1)]!;
  }

  #randaoOf(number: number): Uint8Array {
    this.#randaoNumber.setUint32(0, Math.floor(number / 2 ** 32));
    this.#randaoNumber.setUint32(4, number);
    return keccak256(this.#randaoInput);
  }

  /** The hashes of the blocks of a run whose hash before is known. */
  #run(run: number): Uint8Array {
    const known = this.#runs.get(run);
    if (known) return known;
    const { header, count, step, fees } = this.#parts;
    const start = run * RUN;
    const end = Math.min(start + RUN, count);
    const hashes = new Uint8Array((end - start) * HASH_BYTES);
    const number = Number(header.number);
    const timestamp = Number(header.timestamp);
    let parentHash = hashAt(this.#before, run);
    let shape: Shape | undefined;
    for (let index = start; index < end; index++) {
      const at = { number: number + index, timestamp: timestamp + index * Number(step) };
      if (
        !shape ||
        index < fees.length ||
        !fits(at.number, shape.number.length) ||
        !fits(at.timestamp, shape.timestamp.length)
      )
        shape = shapeOf({
          ...header,
          ...this.#feesAt(index),
          number: BigInt(at.number),
          timestamp: BigInt(at.timestamp),
        });
      const { bytes } = shape;
      bytes.set(parentHash, PARENT_HASH);
      bytes.set(this.#randaoOf(at.number), shape.mixHash);
      writeInteger(bytes, shape.number, at.number);
      writeInteger(bytes, shape.timestamp, at.timestamp);
      parentHash = keccak256(bytes);
      hashes.set(parentHash, (index - start) * HASH_BYTES);
    }
    this.#before.set(parentHash, (run + 1) * HASH_BYTES);
    if (this.#computed === run + 1) this.#computed++;
    if (this.#runs.size >= MOST_RUNS) this.#runs.delete(this.#runs.keys().next().value!);
    this.#runs.set(run, hashes);
    return hashes;
  }
}

/** Whether a number takes as many bytes in RLP as another one took, and no prefix of its own is missing. */
function fits(value: number, length: number): boolean {
  return value >= 2 ** (8 * length - 8) && value >= 0x80 && value < 2 ** (8 * length);
}

function shapeOf(header: Header): Shape {
  const bytes = encodeHeader(header);
  const items = readList(bytes);
  const place = (index: number) => {
    const { start, end } = items[index]!;
    return { end, length: end - start };
  };
  return { bytes, number: place(8), timestamp: place(11), mixHash: items[13]!.start };
}

function writeInteger(bytes: Uint8Array, { end, length }: Shape['number'], value: number): void {
  for (let at = end - 1, rest = value; at >= end - length; at--, rest = Math.floor(rest / 256))
    bytes[at] = rest & 255;
}

function hashAt(hashes: Uint8Array, index: number): Uint8Array {
  return hashes.slice(index * HASH_BYTES, (index + 1) * HASH_BYTES);
}

function tagOf(hash: Uint8Array): number {
  return ((hash[0]! << 24) | (hash[1]! << 16) | (hash[2]! << 8) | hash[3]!) >>> 0;
}

const optional = (value: bigint | undefined) => (value === undefined ? NONE : integerBytes(value));

function member<N extends string>(name: N, value: RlpOutput | undefined): { readonly [K in N]?: bigint } {
  return (value instanceof Uint8Array ? { [name]: integerOf(value) } : {}) as { readonly [K in N]?: bigint };
}
