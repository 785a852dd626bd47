// The table of codes, by hash. A record has a header of 64 bytes, the code, at least 33 zeros, and a bitmap of the valid jump targets in
// the code.
// Records are never freed: the same code is often created again.
import { CODE_BYTES, CODE_LENGTH, DELEGATES, JUMPS } from './entries.ts';
import { createIndex, firstCell, insert, nextCell } from '../memory/hash-index.ts';
import { allocate } from '../memory/heap.ts';
import { keccak } from '../memory/keccak.ts';
import { HASHED } from '../memory/layout.ts';
import { copyWord, equal } from '../memory/words.ts';

const RECORD_HASH: usize = 32;
/** Number of zeros after a code: PUSH32 may read 32 of them, and STOP (0) ends the run. */
export const PADDING: u32 = 40;

const JUMPDEST: u32 = 0x5b;
const PUSH1: u32 = 0x60;
const PUSH32: u32 = 0x7f;

let index: usize = 0;

export function setupCodes(): void {
  index = createIndex(12);
}

/** Size of the bitmap of a code's jump targets, in bytes. */
/* @inline */ export function jumpBytes(n: u32): u32 {
  return (n >> 3) + 8;
}

/** Returns the record of a code of n > 0 bytes, and leaves its hash at HASHED. */
export function codeRecord(code: usize, n: u32): usize {
  keccak(HASHED, code, n);
  const hash = load<u32>(HASHED);
  for (let cell = firstCell(index, hash); ; cell = nextCell(index, cell)) {
    const record: usize = load<u32>(cell, 4);
    if (!record) break;
    if (load<u32>(cell) == hash && equal(record + RECORD_HASH, HASHED)) return record;
  }
  const record = allocate(<u32>CODE_BYTES + n + PADDING + jumpBytes(n));
  const jumps = record + CODE_BYTES + n + PADDING;
  store<u32>(record, n, CODE_LENGTH);
  store<u32>(record, <u32>jumps, JUMPS);
  copyWord(record + RECORD_HASH, HASHED);
  memory.copy(record + CODE_BYTES, code, n);
  store<u32>(record, u32(n == 23 && (load<u32>(code) & 0xffffff) == 0x0001ef), DELEGATES);
  findJumps(record + CODE_BYTES, n, jumps);
  insert(index, hash, record);
  return record;
}

/** Sets the bits of the JUMPDESTs that aren't immediate data of a PUSH. */
export function findJumps(code: usize, n: u32, jumps: usize): void {
  for (let i: u32 = 0; i < n; i++) {
    const opcode: u32 = load<u8>(code + i);
    if (opcode == JUMPDEST) store<u8>(jumps + (i >> 3), <u32>load<u8>(jumps + (i >> 3)) | (1 << (i & 7)));
    else if (opcode >= PUSH1 && opcode <= PUSH32) i += opcode - PUSH1 + 1;
  }
}
