// The memory of the current frame. A callee's memory begins where its caller's ends, since the caller is paused meanwhile. A frame whose
// memory outgrows its room moves to a segment of its own: no pointers into the current frame's memory are kept.
import { charge, frame, GAS, MEMORY, MEMORY_LIMIT, MEMORY_SIZE } from './frames.ts';
import { NONE, OUT_OF_GAS, OUTGROWS } from '../memory/halts.ts';
import { allocateUncleared, base, createBuffer, extend, hasFree, hasPower, length, releasePower, setLength } from '../memory/heap.ts';
import { EVM_MEMORY, EVM_MEMORY_END } from '../memory/layout.ts';
import { probedSize, probes, setProbedSize } from './steps.ts';
import { isZero, upper } from '../memory/words.ts';
import { MEMORY_SQUARE_DIVISOR_RULE, MEMORY_WORD_RULE } from '../tables/rule.ts';

/** Larger offsets cost more gas than any run has: more than 2^45. */
const MAX_OFFSET: u64 = 0xffffffff;
/** The largest memory in bytes for which geth computes the gas. */
const MAX_TOLD: u64 = 0x1fffffffe0;
/** 256 KiB: each growth of the linear memory makes room for several segments */
const MIN_SEGMENT_BITS: u32 = 18;

/** for each segment: frame, address, logarithm of its size, the value of `clean` for the place that the frame left */
let segments: usize = 0;
const SEGMENT_SIZE: u32 = 16;

/** the highest end of a frame's memory since the state was reset */
let furthest: usize = EVM_MEMORY;

/**
 * Start of the bytes that have never been written, in the current frame's segment or in EVM_MEMORY. They are zero, and use no physical
 * memory until they are written.
 */
let clean: usize = EVM_MEMORY;

/** size in bytes of the segment for which the run is paused, and whether the host has allowed it */
let asked: u64 = 0, allowed = false;

/** Number of bytes of EVM_MEMORY that are or were in use. */
export function usedEvmMemory(): u32 {
  return <u32>(furthest - EVM_MEMORY);
}

/** Number of bytes that a run paused with OUTGROWS asks for. */
export function askedMemory(): u32 {
  return allowed ? 0 : <u32>min<u64>(asked, 0xffffffff);
}

/** Allows the run to allocate them. */
export function allowMemory(): void {
  allowed = true;
}

export function setupEvmMemory(): void {
  furthest = EVM_MEMORY;
  segments = createBuffer(8);
}

/* @inline */ function squareGas(words: u64): u64 {
  return words * words / load<u64>(MEMORY_SQUARE_DIVISOR_RULE);
}

/** The maximum offset: larger ones cost more gas than any run has. */
/* @inline */ export function mostBytes(): u64 {
  return TELLS_STEPS && probes ? MAX_TOLD : MAX_OFFSET;
}

/** Expands the memory to hold n bytes at an offset, and charges the gas (yellow paper, appendix H). */
export function expand(offset: u64, n: u64): i32 {
  const size = TELLS_STEPS && probes ? probedSize : <u64>load<u32>(frame, MEMORY_SIZE), end = (offset + n + 31) & ~31;
  if (end <= size) return NONE;
  if (end > mostBytes()) return OUT_OF_GAS;
  const words = end >> 5, before = size >> 5;
  const cost = load<u64>(MEMORY_WORD_RULE) * (words - before) + squareGas(words) - squareGas(before);
  if (load<i64>(frame, GAS) < <i64>cost) return OUT_OF_GAS;
  if (TELLS_STEPS && probes) {
    charge(<i64>cost);
    setProbedSize(end);
    return NONE;
  }
  if (<u64>load<u32>(frame, MEMORY) + end > load<u32>(frame, MEMORY_LIMIT)) {
    if (!allowed) {
      asked = 2 * end;
      return OUTGROWS;
    }
    asked = 0;
    allowed = false;
    const old = load<u32>(frame, MEMORY);
    // Only for sizes beyond a 32-bit address space, which cost billions of gas.
    if (!moveToSegment(2 * end) && !moveToSegment(end)) return OUT_OF_GAS;
    memory.copy(load<u32>(frame, MEMORY), old, <u32>size);
  }
  charge(<i64>cost);
  const from = <usize>load<u32>(frame, MEMORY) + <usize>size, top = <usize>load<u32>(frame, MEMORY) + <usize>end;
  if (from < clean) memory.fill(from, 0, min(top, clean) - from);
  usedTo(top);
  store<u32>(frame, <u32>end, MEMORY_SIZE);
  return NONE;
}

/** Records that the current frame may have written the bytes before an address. */
export function usedTo(end: usize): void {
  if (end > clean) clean = end;
  if (end > furthest && end <= EVM_MEMORY_END) furthest = end;
}

/** Expands the memory for an offset and a size on the stack. Does nothing for size 0, whatever the offset. */
export function expandTo(offset: usize, size: usize): i32 {
  if (isZero(size)) return NONE;
  if ((upper(offset) | upper(size)) != 0) return OUT_OF_GAS;
  if (load<u64>(offset) > mostBytes() || load<u64>(size) > mostBytes()) return OUT_OF_GAS;
  return expand(load<u64>(offset), load<u64>(size));
}

/** Moves the current frame's memory to a segment of at least n bytes. @returns false when none can be allocated */
function moveToSegment(n: u64): bool {
  let bits = MIN_SEGMENT_BITS;
  while (<u64>1 << bits < n) bits++;
  if (bits > 31 || !hasPower(bits)) return false;
  const isClean = !hasFree(bits), at = allocateUncleared(bits), segment = extend(segments, SEGMENT_SIZE);
  store<u32>(segment, <u32>frame);
  store<u32>(segment, <u32>at, 4);
  store<u32>(segment, bits, 8);
  store<u32>(segment, <u32>clean, 12);
  clean = isClean ? at : at + (<usize>1 << bits);
  store<u32>(frame, <u32>at, MEMORY);
  store<u32>(frame, <u32>(<u64>at + (<u64>1 << bits) - 1), MEMORY_LIMIT);
  return true;
}

/** Makes room for n bytes at the start of the current frame's memory, which is empty. */
export function reserve(n: u32): bool {
  return <u64>load<u32>(frame, MEMORY) + n <= load<u32>(frame, MEMORY_LIMIT) || moveToSegment(2 * <u64>n);
}

/** Initializes the memory of a run's outermost frame, and frees the segments of the last run. */
export function startMemory(): void {
  releaseSegments(0);
  asked = 0;
  allowed = false;
  store<u32>(frame, <u32>EVM_MEMORY, MEMORY);
  store<u32>(frame, <u32>EVM_MEMORY_END, MEMORY_LIMIT);
  store<u32>(frame, 0, MEMORY_SIZE);
}

/** Frees the segments of a frame and of the frames above it. */
export function releaseSegments(from: usize): void {
  while (length(segments) > 0) {
    const segment = base(segments) + length(segments) - SEGMENT_SIZE;
    if (load<u32>(segment) < <u32>from) return;
    releasePower(load<u32>(segment, 4), load<u32>(segment, 8));
    clean = load<u32>(segment, 12);
    setLength(segments, length(segments) - SEGMENT_SIZE);
  }
}

/** The bytes at an offset that {@link expandTo} has checked. */
/* @inline */ export function inMemory(offset: usize, size: usize): usize {
  return load<u32>(frame, MEMORY) + (load<u32>(size) ? load<u32>(offset) : 0);
}

/** Whether the memory contains the bytes without being expanded. */
export function isInMemory(offset: usize, size: usize): bool {
  if (upper(size) != 0 || load<u64>(size) > 0xffffffff) return false;
  const n = load<u64>(size);
  if (n == 0) return true;
  return upper(offset) == 0 && load<u64>(offset) <= 0xffffffff
    && load<u64>(offset) + n <= <u64>load<u32>(frame, MEMORY_SIZE);
}
