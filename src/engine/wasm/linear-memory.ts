import { pool } from '../../state/slab.ts';

const LOW_64 = (1n << 64n) - 1n;

/** Reads a 256-bit little-endian number. */
export function wordAt(data: DataView, at: number): bigint {
  let value = data.getBigUint64(at, true);
  // Most values are below 2^64, and each further bigint operation allocates two bigints.
  for (let i = 8; i < 32; i += 8)
    if (data.getUint32(at + i) | data.getUint32(at + i + 4))
      value |= data.getBigUint64(at + i, true) << BigInt(8 * i);
  return value;
}

/**
 * Reads and writes the memory of a WebAssembly instance. Words are 32 bytes in little-endian order. When the memory grows, views of it
 * become invalid. So the returned bytes are copies, except those of {@link LinearMemory.view}.
 */
export class LinearMemory {
  readonly #memory: WebAssembly.Memory;
  #bytes = new Uint8Array(0);
  #data = new DataView(new ArrayBuffer(0));
  #texts = Buffer.alloc(0);

  constructor(memory: WebAssembly.Memory) {
    this.#memory = memory;
  }

  /** Recreates the views when the memory has grown: a detached view has length 0. */
  #refresh(): void {
    if (this.#bytes.length > 0) return;
    this.#bytes = new Uint8Array(this.#memory.buffer);
    this.#data = new DataView(this.#memory.buffer);
    this.#texts = Buffer.from(this.#memory.buffer);
  }

  /** A view of the memory: valid until the next call into the instance. */
  view(at: number, length: number): Uint8Array {
    this.#refresh();
    return this.#bytes.subarray(at, at + length);
  }

  bytes(at: number, length: number): Uint8Array {
    this.#refresh();
    // V8 stores up to 64 bytes inside the typed array object itself.
    if (length <= 64) return this.#bytes.slice(at, at + length);
    const copy = pool.take(length);
    copy.set(this.#bytes.subarray(at, at + length));
    return copy;
  }

  text(at: number, length: number, encoding: 'latin1' | 'utf8'): string {
    this.#refresh();
    return this.#texts.toString(encoding, at, at + length);
  }

  /** Writes at most `most` bytes of the text's UTF-8 encoding. @returns the number of bytes written */
  writeText(at: number, text: string, most: number): number {
    this.#refresh();
    return this.#texts.write(text, at, most, 'utf8');
  }

  write(at: number, bytes: Uint8Array): void {
    this.#refresh();
    this.#bytes.set(bytes, at);
  }

  u32(at: number): number {
    this.#refresh();
    return this.#data.getUint32(at, true);
  }

  setU32(at: number, value: number): void {
    this.#refresh();
    this.#data.setUint32(at, value, true);
  }

  setU16(at: number, value: number): void {
    this.#refresh();
    this.#data.setUint16(at, value, true);
  }

  u64(at: number): bigint {
    this.#refresh();
    return this.#data.getBigUint64(at, true);
  }

  i64(at: number): bigint {
    this.#refresh();
    return this.#data.getBigInt64(at, true);
  }

  setU64(at: number, value: bigint): void {
    this.#refresh();
    this.#data.setBigUint64(at, value, true);
  }

  word(at: number): bigint {
    this.#refresh();
    return wordAt(this.#data, at);
  }

  /** @throws RangeError when the number has more than 256 bits */
  setWord(at: number, value: bigint): void {
    this.#refresh();
    const data = this.#data;
    // Most values are below 2^64, and each further bigint operation allocates two bigints.
    if (value <= LOW_64) {
      data.setBigUint64(at, value, true);
      this.#bytes.fill(0, at + 8, at + 32);
      return;
    }
    let rest = value;
    for (let i = 0; i < 32; i += 8, rest >>= 64n) data.setBigUint64(at + i, rest & LOW_64, true);
    if (rest !== 0n) throw new RangeError(`${value} isn't within 256 bits`);
  }

  /** Writes up to 32 big-endian bytes as a word. */
  setWordBytes(at: number, bytes: Uint8Array): void {
    this.#refresh();
    this.#bytes.fill(0, at, at + 32);
    for (let i = 0; i < bytes.length; i++) this.#bytes[at + i] = bytes[bytes.length - 1 - i]!;
  }

  /** Reads a word as 32 big-endian bytes. */
  wordBytes(at: number): Uint8Array {
    return this.bytes(at, 32).reverse();
  }
}
