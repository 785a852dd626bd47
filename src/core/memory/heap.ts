// Memory that grows: allocations that are permanent, allocations in powers of two that are returned when a table has outgrown them, and
// buffers, which move when they grow.
import { HEAP } from './layout.ts';

/** maximum end of the memory */
const LIMIT: u64 = 0xffff0000;

let top: usize = HEAP;
/** free lists by the logarithm of the size; each free piece points to the next */
const FREE: usize = memory.data(4 * 32);

/** Frees all memory. */
export function clearHeap(): void {
  memory.fill(HEAP, 0, top - HEAP);
  memory.fill(FREE, 0, 4 * 32);
  top = HEAP;
}

/** Number of bytes that are or were in use. */
export function heapSize(): u32 {
  return <u32>(top - HEAP);
}

/**
 * Allocates n permanent, zeroed bytes, aligned to 256 bytes: the address of an account is computed from that of a word within its entry.
 */
export function allocate(n: u32): usize {
  const at = top, end = <u64>at + ((<u64>n + 255) & ~255);
  if (end > LIMIT) unreachable();
  const pages = <i32>((end + 0xffff) >> 16) - memory.size();
  // Each growth makes the host recreate its views, and V8 counts the whole memory as newly allocated and collects garbage. So steps are
  // large.
  const more = max(max(pages, 64), memory.size() >> 1);
  if (pages > 0 && memory.grow(more) < 0 && memory.grow(pages) < 0) unreachable();
  top = <usize>end;
  return at;
}

/** Allocates 2^bits zeroed bytes. */
export function allocatePower(bits: u32): usize {
  const free = takeFree(bits);
  if (!free) return allocate(1 << bits);
  memory.fill(free, 0, 1 << bits);
  return free;
}

/** Allocates 2^bits bytes with undefined content. */
export function allocateUncleared(bits: u32): usize {
  return takeFree(bits) || allocate(1 << bits);
}

/** @returns 0 if there is no free piece */
function takeFree(bits: u32): usize {
  const head = FREE + (<usize>bits << 2), free: usize = load<u32>(head);
  if (free) store<u32>(head, load<u32>(free));
  return free;
}

/** Whether there is a free piece of this size. If not, {@link allocateUncleared} returns zeroed bytes. */
export function hasFree(bits: u32): bool {
  return load<u32>(FREE + (<usize>bits << 2)) != 0;
}

/** Whether {@link allocatePower} can allocate this size. */
export function hasPower(bits: u32): bool {
  return hasFree(bits) || <u64>top + (<u64>1 << bits) + 0x1000000 < LIMIT;
}

export function releasePower(p: usize, bits: u32): void {
  const head = FREE + (<usize>bits << 2);
  store<u32>(p, load<u32>(head));
  store<u32>(head, <u32>p);
}

// ---- pools: records of equal size, which are freed individually
const CHUNK: u32 = 1 << 16;
// fields of a pool: free records, each pointing to the next; begin and end of the unused part of the newest chunk

/** Initializes a pool, which has 12 bytes. */
export function clearPool(pool: usize): void {
  memory.fill(pool, 0, 12);
}

/** Allocates a zeroed record from a pool (12 bytes, initially 0). */
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

// ---- buffers: base, length, capacity, logarithm of the capacity. Since buffers move, references to their content are kept as offsets.

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

/** Returns the end of a buffer, with room for n more bytes. */
/* @inline */ export function room(buffer: usize, n: u32): usize {
  if (load<u32>(buffer, 4) + n > load<u32>(buffer, 8)) enlarge(buffer, n);
  return load<u32>(buffer) + load<u32>(buffer, 4);
}

/** Appends n bytes, which the caller then writes. */
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
