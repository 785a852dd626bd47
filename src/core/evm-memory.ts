// The memory of the running frame. That of its callee begins where its own ends: a caller stands still meanwhile.
import { charge, frame, MEMORY, MEMORY_SIZE } from './frames';
import { NONE, OUT_OF_GAS, OUT_OF_ROOM } from './halts';
import { EVM_MEMORY_END } from './layout';
import { isZero, upper } from './words';

/** Larger offsets cost more gas than any run has: 2^45. */
const MAX_OFFSET: u64 = 0xffffffff;

/** Expands the memory to hold n bytes at an offset, and charges for it (yellow paper, appendix H). */
export function expand(offset: u64, n: u64): i32 {
  const size = <u64>load<u32>(frame, MEMORY_SIZE), end = (offset + n + 31) & ~31;
  if (end <= size) return NONE;
  if (end > MAX_OFFSET) return OUT_OF_GAS;
  const words = end >> 5, before = size >> 5;
  if (!charge(<i64>(3 * (words - before) + ((words * words) >> 9) - ((before * before) >> 9)))) return OUT_OF_GAS;
  const start = load<u32>(frame, MEMORY);
  if (<u64>start + end > EVM_MEMORY_END) return OUT_OF_ROOM;
  memory.fill(start + <u32>size, 0, <u32>(end - size));
  store<u32>(frame, <u32>end, MEMORY_SIZE);
  return NONE;
}

/** The same for an offset and a size on the stack. Nothing happens for size 0, whatever the offset. */
export function expandTo(offset: usize, size: usize): i32 {
  if (isZero(size)) return NONE;
  if ((upper(offset) | upper(size)) != 0) return OUT_OF_GAS;
  if (load<u64>(offset) > MAX_OFFSET || load<u64>(size) > MAX_OFFSET) return OUT_OF_GAS;
  return expand(load<u64>(offset), load<u64>(size));
}

/** The bytes at an offset that {@link expandTo} has checked. */
// @ts-ignore: decorator
@inline export function inMemory(offset: usize, size: usize): usize {
  return load<u32>(frame, MEMORY) + (load<u32>(size) ? load<u32>(offset) : 0);
}
