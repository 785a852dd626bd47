// Memory that grows: pieces that stay for good, pieces of powers of two that come back when a table has
// outgrown them, and buffers, which move when they grow.
import { HEAP } from './layout.ts';

/** end of the largest memory */
const LIMIT: u64 = 0xffff0000;

let top: usize = HEAP;
/** free pieces by the logarithm of their size, each pointing to the next */
const FREE: usize = memory.data(4 * 32);

/** Gives all memory back. */
export function clearHeap(): void {
  memory.fill(HEAP, 0, top - HEAP);
  memory.fill(FREE, 0, 4 * 32);
  top = HEAP;
}

/** Bytes that are in use, or were. */
export function heapSize(): u32 {
  return <u32>(top - HEAP);
}

/** n bytes of zeros that stay, aligned to 256: an account is found from a word inside its entry. */
export function allocate(n: u32): usize {
  const at = top, end = <u64>at + ((<u64>n + 255) & ~255);
  if (end > LIMIT) unreachable();
  const pages = <i32>((end + 0xffff) >> 16) - memory.size();
  // A growth costs the host new views, and V8 takes all of the memory for newly allocated and collects garbage, so it is never small.
  const more = max(max(pages, 64), memory.size() >> 1);
  if (pages > 0 && memory.grow(more) < 0 && memory.grow(pages) < 0) unreachable();
  top = <usize>end;
  return at;
}

/** 2^bits bytes of zeros. */
export function allocatePower(bits: u32): usize {
  const free = takeFree(bits);
  if (!free) return allocate(1 << bits);
  memory.fill(free, 0, 1 << bits);
  return free;
}

/** 2^bits bytes, with whatever was there. */
export function allocateUncleared(bits: u32): usize {
  return takeFree(bits) || allocate(1 << bits);
}

/** @returns 0 where there is none */
function takeFree(bits: u32): usize {
  const head = FREE + (<usize>bits << 2), free: usize = load<u32>(head);
  if (free) store<u32>(head, load<u32>(free));
  return free;
}

/** Whether a piece has come back: else {@link allocateUncleared} finds bytes that are zero. */
export function hasFree(bits: u32): bool {
  return load<u32>(FREE + (<usize>bits << 2)) != 0;
}

/** Whether {@link allocatePower} would find that much. */
export function hasPower(bits: u32): bool {
  return hasFree(bits) || <u64>top + (<u64>1 << bits) + 0x1000000 < LIMIT;
}

export function releasePower(p: usize, bits: u32): void {
  const head = FREE + (<usize>bits << 2);
  store<u32>(p, load<u32>(head));
  store<u32>(head, <u32>p);
}

// ---- pools: records of one size, which come back one by one
const CHUNK: u32 = 1 << 16;
// pool: free records, each pointing to the next; begin and end of what is left of the newest chunk

/** Makes a pool of 12 bytes empty. */
export function clearPool(pool: usize): void {
  memory.fill(pool, 0, 12);
}

/** A record of zeros from a pool (12 bytes, at first 0). */
export function take(pool: usize, size: u32): usize {
  const free: usize = load<u32>(pool);
  if (free) {
    store<u32>(pool, load<u32>(free));
    memory.fill(free, 0, size);
    return free;
  }
  let at: usize = load<u32>(pool, 4);
  if (at + size > load<u32>(pool, 8)) {
    at = allocate(CHUNK);
    store<u32>(pool, <u32>at + CHUNK, 8);
  }
  store<u32>(pool, <u32>at + size, 4);
  return at;
}

export function giveBack(pool: usize, p: usize): void {
  store<u32>(p, load<u32>(pool));
  store<u32>(pool, <u32>p);
}

// ---- buffers: base, length, capacity, logarithm of the capacity. What others keep of their content is its
// offset.

export function createBuffer(bits: u32): usize {
  const buffer = allocate(16);
  store<u32>(buffer, <u32>allocatePower(bits));
  store<u32>(buffer, 1 << bits, 8);
  store<u32>(buffer, bits, 12);
  return buffer;
}

/* @inline */ export function base(buffer: usize): usize {
  return load<u32>(buffer);
}

/* @inline */ export function length(buffer: usize): u32 {
  return load<u32>(buffer, 4);
}

/* @inline */ export function setLength(buffer: usize, n: u32): void {
  store<u32>(buffer, n, 4);
}

/** The end of a buffer, with room for n bytes behind it. */
/* @inline */ export function room(buffer: usize, n: u32): usize {
  if (load<u32>(buffer, 4) + n > load<u32>(buffer, 8)) enlarge(buffer, n);
  return load<u32>(buffer) + load<u32>(buffer, 4);
}

/** Adds n bytes, which the caller then writes. */
/* @inline */ export function extend(buffer: usize, n: u32): usize {
  const at = room(buffer, n);
  store<u32>(buffer, load<u32>(buffer, 4) + n, 4);
  return at;
}

function enlarge(buffer: usize, n: u32): void {
  const old: usize = load<u32>(buffer), bits = load<u32>(buffer, 12), used = load<u32>(buffer, 4);
  let more = bits + 1;
  while ((<u64>1 << more) < <u64>used + n) more++;
  const fresh = allocatePower(more);
  memory.copy(fresh, old, used);
  releasePower(old, bits);
  store<u32>(buffer, <u32>fresh);
  store<u32>(buffer, 1 << more, 8);
  store<u32>(buffer, more, 12);
}
