// Blocks that can be rolled back, newest first: the changes of each block in the journal's format. The newest 256 KiB to 1 MiB are kept:
// some hundreds of small blocks.
import { base, createBuffer, extend, length, setLength } from '../memory/heap.ts';
import { compactJournal, journal, revertTo } from './journal.ts';

const MAX: u32 = 1 << 20;
const KEPT: u32 = 1 << 18;

/** the journals, oldest first; each is preceded and followed by its length in bytes */
let past: usize = 0;
let count: u32 = 0;

export function setupPastBlocks(): void {
  past = createBuffer(12);
  count = 0;
}

/** The number of blocks that undoBlock() can roll back. */
export function pastBlocks(): u32 {
  return count;
}

/** Ends the journal of the open block, so that undoBlock() can roll the block back. The oldest blocks may be dropped. */
export function closeBlock(): void {
  compactJournal();
  const n = length(journal);
  if (length(past) + n > MAX) forgetOldest(KEPT);
  const at = extend(past, n + 8);
  store<u32>(at, n);
  memory.copy(at + 4, base(journal), n);
  store<u32>(at + 4 + n, n);
  count++;
  setLength(journal, 0);
}

/** @param most maximum number of bytes to keep */
function forgetOldest(most: u32): void {
  let from: u32 = 0;
  while (length(past) - from > most) {
    from += load<u32>(base(past) + from) + 8;
    count--;
  }
  memory.copy(base(past), base(past) + from, length(past) - from);
  setLength(past, length(past) - from);
}

/** Rolls back the newest closed block. The open block must not contain any writes. */
export function undoBlock(): void {
  const end = length(past) - 4, n = load<u32>(base(past) + end), from = end - n;
  memory.copy(extend(journal, n), base(past) + from, n);
  setLength(past, from - 4);
  count--;
  revertTo(0);
}

/** Drops all of them: the open block and earlier blocks can't be rolled back any more. */
export function forgetPast(): void {
  setLength(journal, 0);
  setLength(past, 0);
  count = 0;
}
