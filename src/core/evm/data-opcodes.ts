// Opcodes that hash, copy and read bytes: KECCAK256, CALLDATALOAD, the copies, MCOPY.
import { expandTo, inMemory } from './evm-memory.ts';
import { charge, drop, frame, INPUT, INPUT_SIZE, MEMORY, operand } from './frames.ts';
import { NONE, OUT_OF_GAS, RETURN_DATA_OUT_OF_BOUNDS, WAITS } from '../memory/halts.ts';
import { keccak } from '../memory/keccak.ts';
import { knownHash } from '../state/known-hashes.ts';
import { HASHED, SCRATCH } from '../memory/layout.ts';
import { less, reverse, setWord, upper } from '../memory/words.ts';
import { chargedWords, tellStep } from './steps.ts';
import { returned, returnedSize } from './returned.ts';
import { COPY_WORD_RULE, HASH_WORD_RULE } from '../tables/rule.ts';

export function keccak256(): i32 {
  const offset = operand(1), size = operand(2), halt = expandTo(offset, size);
  if (halt) return halt;
  const n = load<u32>(size);
  if (!charge(load<i64>(HASH_WORD_RULE) * chargedWords(size, n))) return OUT_OF_GAS;
  if (TELLS_STEPS && tellStep()) return WAITS;
  const from = inMemory(offset, size);
  if (n == 32 || n == 64) reverse(size, knownHash(from, n));
  else {
    keccak(HASHED, from, n);
    reverse(size, HASHED);
  }
  drop(1);
  return NONE;
}

export function callDataLoad(at: usize): void {
  const size = load<u32>(frame, INPUT_SIZE), offset = load<u64>(at);
  if (upper(at) != 0 || offset >= size) {
    setWord(at, 0);
    return;
  }
  const from = load<u32>(frame, INPUT) + <u32>offset, n = size - <u32>offset;
  if (n >= 32) {
    reverse(at, from);
    return;
  }
  // The bytes after the input belong to something else.
  setWord(SCRATCH, 0);
  memory.copy(SCRATCH, from, n);
  reverse(at, SCRATCH);
}

/** Charges for a copy. Operands from the top: offset in memory, offset in the source, size. @returns see halts.ts */
function chargeCopy(top: usize): i32 {
  const size = top - 64, halt = expandTo(top, size);
  if (halt) return halt;
  if (!charge(load<i64>(COPY_WORD_RULE) * chargedWords(size, load<u32>(size)))) return OUT_OF_GAS;
  return TELLS_STEPS && tellStep() ? WAITS : NONE;
}

/** Copies bytes; beyond the source's end they are zeros. */
function copyPadded(top: usize, source: usize, length: u32): i32 {
  const halt = chargeCopy(top);
  if (halt) return halt;
  const from = top - 32, size = top - 64, n = load<u32>(size);
  if (n == 0) return NONE;
  const to = inMemory(top, size);
  const start = upper(from) != 0 || load<u64>(from) > length ? length : load<u32>(from);
  const present = min(n, length - start);
  memory.copy(to, source + start, present);
  memory.fill(to + present, 0, n - present);
  return NONE;
}

/** CALLDATACOPY, CODECOPY */
export function copyBytes(source: usize, length: u32): i32 {
  const halt = copyPadded(operand(1), source, length);
  if (halt == NONE) drop(3);
  return halt;
}

/** EXTCODECOPY, whose first operand is the address; the access has been charged, and the memory has been expanded. */
export function copyCode(source: usize, length: u32): i32 {
  const halt = copyPadded(operand(2), source, length);
  if (halt == NONE) drop(4);
  return halt;
}

/** Unlike other copies, RETURNDATACOPY halts beyond the source's end (EIP-211); as in geth, after the gas is charged. */
export function copyReturned(): i32 {
  const halt = chargeCopy(operand(1));
  if (halt) return halt;
  const from = operand(2), size = operand(3), n: u64 = load<u32>(size), length: u64 = returnedSize;
  if (upper(from) != 0 || load<u64>(from) > length || load<u64>(from) + n > length) return RETURN_DATA_OUT_OF_BOUNDS;
  if (n > 0) memory.copy(inMemory(operand(1), size), returned() + load<u32>(from), <u32>n);
  drop(3);
  return NONE;
}

/** EIP-5656 */
export function copyMemory(): i32 {
  const to = operand(1), from = operand(2), size = operand(3);
  const halt = expandTo(less(to, from) ? from : to, size);
  if (halt) return halt;
  const n = load<u32>(size);
  if (!charge(load<i64>(COPY_WORD_RULE) * chargedWords(size, n))) return OUT_OF_GAS;
  if (TELLS_STEPS && tellStep()) return WAITS;
  const start = load<u32>(frame, MEMORY);
  if (n) memory.copy(start + load<u32>(to), start + load<u32>(from), n);
  drop(3);
  return NONE;
}
