import { pool } from './slab.ts';

/** One item of an RLP list: `[start, end)` is the payload, `from` the offset of its header. */
export interface RlpItem {
  readonly list: boolean;
  readonly from: number;
  readonly start: number;
  readonly end: number;
}

/**
 * Reads the item at `from` without copying. Every read of a trie needs this; @ethereumjs/rlp takes ten times as long.
 * @throws Error if the bytes end inside the item
 */
export function readItem(bytes: Uint8Array, from: number): RlpItem {
  const first = bytes[from]!;
  let list = false;
  let start = from;
  let length = 1;
  if (first >= 0x80) {
    list = first >= 0xc0;
    const short = list ? 0xc0 : 0x80;
    start = from + 1;
    length = first - short;
    if (length > 55) {
      const size = length - 55;
      length = 0;
      for (let i = 0; i < size; i++) length = length * 256 + bytes[start + i]!;
      start += size;
    }
  }
  const end = start + length;
  if (!(end <= bytes.length)) throw new Error(`RLP item at ${from} ends behind ${bytes.length} bytes`);
  return { list, from, start, end };
}

/** The items of the list that `bytes` encodes. */
export function readList(bytes: Uint8Array): RlpItem[] {
  const outer = readItem(bytes, 0);
  if (!outer.list) throw new Error('not an RLP list');
  const items: RlpItem[] = [];
  for (let at = outer.start; at < outer.end; ) {
    const item = readItem(bytes, at);
    items.push(item);
    at = item.end;
  }
  return items;
}

/** A decoded RLP item. */
export type RlpOutput = Uint8Array | RlpOutput[];

/** Decodes trusted bytes, such as those of a store. The byte strings are subarrays of the input. @throws like {@link readItem} */
export function decodeRlp(bytes: Uint8Array): RlpOutput {
  return decodeItem(bytes, readItem(bytes, 0));
}

function decodeItem(bytes: Uint8Array, { list, start, end }: RlpItem): RlpOutput {
  if (!list) return bytes.subarray(start, end);
  const items: RlpOutput[] = [];
  for (let at = start; at < end; ) {
    const item = readItem(bytes, at);
    items.push(decodeItem(bytes, item));
    at = item.end;
  }
  return items;
}

/** Size in bytes of the header that {@link writeHeader} writes for a payload of this length. */
export function headerSize(length: number): number {
  if (length < 56) return 1;
  return length < 0x100 ? 2 : length < 0x10000 ? 3 : length < 0x1000000 ? 4 : 5;
}

/** Writes the header of a string (`short` 0x80) or a list (`short` 0xc0). @returns the offset of the payload */
export function writeHeader(out: Uint8Array, at: number, length: number, short: number): number {
  const size = headerSize(length) - 1;
  if (size === 0) {
    out[at] = short + length;
    return at + 1;
  }
  out[at] = short + 55 + size;
  for (let i = size - 1, rest = length; i >= 0; i--, rest = Math.floor(rest / 256))
    out[at + 1 + i] = rest & 255;
  return at + 1 + size;
}

/** Size in bytes of a byte string's RLP. */
export function stringSize(value: Uint8Array): number {
  return value.length === 1 && value[0]! < 0x80 ? 1 : headerSize(value.length) + value.length;
}

/** Writes a byte string. @returns the offset after it */
export function writeString(out: Uint8Array, at: number, value: Uint8Array): number {
  const single = value.length === 1 && value[0]! < 0x80;
  const start = single ? at : writeHeader(out, at, value.length, 0x80);
  out.set(value, start);
  return start + value.length;
}

/** Encodes a list of byte strings: accounts, and trie nodes except branches. @param allocate returns the array to write to */
export function encodeStrings(
  values: readonly Uint8Array[],
  allocate = (length: number): Uint8Array => new Uint8Array(length),
): Uint8Array {
  let length = 0;
  for (const value of values) length += stringSize(value);
  const out = allocate(headerSize(length) + length);
  let at = writeHeader(out, 0, length, 0xc0);
  for (const value of values) at = writeString(out, at, value);
  return out;
}

/** What RLP can encode: byte strings, and lists of them, nested to any depth. */
export type RlpInput = Uint8Array | readonly RlpInput[];

/** Encodes any input, in a fifth of the time of @ethereumjs/rlp. */
export function encodeRlp(input: RlpInput): Uint8Array {
  const sizes: number[] = [];
  const out = pool.take(sizeOf(input, sizes));
  write(out, 0, input, sizes, { at: 0 });
  return out;
}

/** Encodes the items of a list, without the list's header. */
export function encodeItems(items: readonly RlpInput[]): Uint8Array {
  if (items.length === 0) return new Uint8Array(0);
  const list = encodeRlp(items);
  return list.subarray(readItem(list, 0).start);
}

/** Encodes a list from pieces, each of which contains encoded items, see {@link encodeItems}. */
export function listOfItems(pieces: readonly Uint8Array[]): Uint8Array {
  const length = pieces.reduce((sum, piece) => sum + piece.length, 0);
  const list = pool.take(headerSize(length) + length);
  let at = writeHeader(list, 0, length, 0xc0);
  for (const piece of pieces) {
    list.set(piece, at);
    at += piece.length;
  }
  return list;
}

/** @param sizes receives the payload lengths of the lists, in the order in which the lists begin */
function sizeOf(input: RlpInput, sizes: number[]): number {
  if (input instanceof Uint8Array) return stringSize(input);
  const own = sizes.push(0) - 1;
  let length = 0;
  for (const item of input) length += sizeOf(item, sizes);
  sizes[own] = length;
  return headerSize(length) + length;
}

function write(
  out: Uint8Array,
  at: number,
  input: RlpInput,
  sizes: readonly number[],
  next: { at: number },
): number {
  if (input instanceof Uint8Array) return writeString(out, at, input);
  let end = writeHeader(out, at, sizes[next.at++]!, 0xc0);
  for (const item of input) end = write(out, end, item, sizes, next);
  return end;
}
