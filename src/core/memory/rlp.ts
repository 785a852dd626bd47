// RLP: a reader that rejects non-canonical encodings, and a writer.
import { setWord, upper } from './words.ts';
import { byteLength } from './arithmetic.ts';

// ---- reading: nextItem() advances, and stores what it read in these variables
/** start of the next item */
export let position: usize = 0;
/** payload of the item just read */
export let item: usize = 0;
export let itemSize: u32 = 0;
export let itemIsList: bool = false;
let limit: usize = 0;
/** false as soon as the RLP was not canonical or an item not of the expected kind */
export let isValid: bool = true;

/** Starts reading the items between two addresses. */
export function startReading(from: usize, to: usize): void {
  position = from;
  limit = to;
  isValid = true;
}

export function isAtEnd(): bool {
  return position >= limit;
}

export function moveTo(at: usize): void {
  position = at;
}

function fail(): void {
  isValid = false;
  position = limit;
  itemSize = 0;
}

export function nextItem(): void {
  if (position >= limit) {
    fail();
    return;
  }
  const first: u32 = load<u8>(position);
  itemIsList = first >= 0xc0;
  if (first < 0x80) {
    item = position;
    itemSize = 1;
  } else {
    const short = itemIsList ? first - 0xc0 : first - 0x80;
    let size = <u64>short, head: usize = 1;
    if (short > 55) {
      const bytes = <usize>short - 55;
      if (position + 1 + bytes > limit) {
        fail();
        return;
      }
      size = number(position + 1, <u32>bytes);
      if (load<u8>(position + 1) == 0 || size < 56) {
        fail();
        return;
      }
      head += bytes;
    }
    if (size > <u64>(limit - position) || position + head + <usize>size > limit) {
      fail();
      return;
    }
    item = position + head;
    itemSize = <u32>size;
    // A byte below 0x80 is its own encoding.
    if (!itemIsList && size == 1 && <u32>load<u8>(item) < 0x80) {
      fail();
      return;
    }
  }
  position = item + itemSize;
}

export function nextString(): void {
  nextItem();
  if (itemIsList) fail();
}

export function nextList(): void {
  nextItem();
  if (!itemIsList) fail();
}

/** Reads a string of exactly n bytes. */
export function nextBytes(n: u32): usize {
  nextString();
  if (itemSize != n) fail();
  return item;
}

/** Reads an integer of at most 8 bytes. */
export function nextNumber(): u64 {
  nextString();
  if (itemSize > 8 || (itemSize > 0 && load<u8>(item) == 0)) fail();
  return number(item, itemSize);
}

/** Reads an integer of at most 32 bytes as a word. */
export function nextWord(to: usize): void {
  nextString();
  if (itemSize > 32 || (itemSize > 0 && load<u8>(item) == 0)) fail();
  setWord(to, 0);
  for (let i: u32 = 0; i < itemSize; i++) store<u8>(to + i, load<u8>(item + itemSize - 1 - i));
}

/** Decodes a big-endian integer of at most 8 bytes. */
function number(at: usize, n: u32): u64 {
  let value: u64 = 0;
  for (let i: u32 = 0; i < n; i++) value = (value << 8) | load<u8>(at + i);
  return value;
}

// ---- writing: everything is appended at `written`
export let written: usize = 0;
/** bytes reserved for the head of a list in front of its payload */
const HEAD: usize = 16;

export function startWriting(at: usize): void {
  written = at;
}

/** Starts a list in a buffer. */
/* @inline */ export function beginList(buffer: usize): void {
  written = buffer + HEAD;
}

/** Writes the head of the list in front of its payload. @returns the start of the list */
export function endList(buffer: usize): usize {
  const payload = buffer + HEAD, n = <u32>(written - payload), end = written;
  written = payload - headSize(n);
  const start = written;
  writeHead(n, 0xc0);
  written = end;
  return start;
}

/** Number of bytes in the head of a list, or of a string that isn't a single byte below 0x80. */
export function headSize(n: u32): u32 {
  return n < 56 ? 1 : n < 0x100 ? 2 : n < 0x10000 ? 3 : n < 0x1000000 ? 4 : 5;
}

/** Number of bytes of a list with a payload of this size. */
export function listSize(payload: u32): u32 {
  return headSize(payload) + payload;
}

export function writeHead(n: u32, kind: u32): void {
  const bytes = headSize(n) - 1;
  if (bytes == 0) {
    store<u8>(written++, kind + n);
    return;
  }
  store<u8>(written++, kind + 55 + bytes);
  for (let i = bytes; i > 0; i--) store<u8>(written++, n >> ((i - 1) << 3));
}

export function writeString(from: usize, n: u32): void {
  if (n == 1 && <u32>load<u8>(from) < 0x80) {
    store<u8>(written++, load<u8>(from));
    return;
  }
  writeHead(n, 0x80);
  memory.copy(written, from, n);
  written += n;
}

/** Appends n bytes unchanged. */
export function writeRaw(from: usize, n: u32): void {
  memory.copy(written, from, n);
  written += n;
}

/** Number of bytes that {@link writeString} writes. */
export function stringSize(from: usize, n: u32): u32 {
  return n == 1 && <u32>load<u8>(from) < 0x80 ? 1 : n + headSize(n);
}

/** Writes a string of 32 bytes. */
export function writeHash(from: usize): void {
  store<u8>(written, 0xa0);
  v128.store(written + 1, v128.load(from));
  v128.store(written + 17, v128.load(from, 16));
  written += 33;
}

/** Number of bytes that {@link writeInteger} writes. */
export function integerSize(value: u64): u32 {
  return value < 0x80 ? 1 : 9 - <u32>(clz(value) >> 3);
}

export function writeInteger(value: u64): void {
  if (value == 0 || value >= 0x80) store<u8>(written++, 0x80 + (value == 0 ? 0 : <u32>(8 - (clz(value) >> 3))));
  if (value == 0) return;
  for (let i = <i32>(7 - (clz(value) >> 3)); i >= 0; i--) store<u8>(written++, value >> (<u64>i << 3));
}

export function writeWord(p: usize): void {
  if (upper(p) == 0) {
    writeInteger(load<u64>(p));
    return;
  }
  const n = byteLength(p);
  store<u8>(written++, 0x80 + n);
  for (let i = n - 1; i >= 0; i--) store<u8>(written++, load<u8>(p + <usize>i));
}

