// Blocks that can be taken back, newest first: what each of them changed, as the journal has it. The newest are kept, 256 KiB to
// 1 MiB of them: some hundreds of small blocks.
import { base, createBuffer, extend, length, setLength } from '../memory/heap.ts';
import { compactJournal, journal, revertTo } from './journal.ts';

const MOST: u32 = 1 << 20;
const KEPT: u32 = 1 << 18;

/** the journals, oldest first; before and behind each of them stands its length in bytes */
let past: usize = 0;
let count: u32 = 0;

export function setupPastBlocks(): void {
  past = createBuffer(12);
  count = 0;
}

/** How many blocks undoBlock() can take back. */
export function pastBlocks(): u32 {
  return count;
}

/** Ends the journal of the open block: undoBlock() takes the block back. The oldest blocks may be forgotten. */
export function closeBlock(): void {
  compactJournal();
  const n = length(journal);
  if (length(past) + n > MOST) forgetOldest(KEPT);
  const at = extend(past, n + 8);
  store<u32>(at, n);
  memory.copy(at + 4, base(journal), n);
  store<u32>(at + 4 + n, n);
  count++;
  setLength(journal, 0);
}

/** @param most bytes that stay */
function forgetOldest(most: u32): void {
  let from: u32 = 0;
  while (length(past) - from > most) {
    from += load<u32>(base(past) + from) + 8;
    count--;
  }
  memory.copy(base(past), base(past) + from, length(past) - from);
  setLength(past, length(past) - from);
}

/** Takes the newest closed block back. Nothing is written in the open one. */
export function undoBlock(): void {
  const end = length(past) - 4, n = load<u32>(base(past) + end), from = end - n;
  memory.copy(extend(journal, n), base(past) + from, n);
  setLength(past, from - 4);
  count--;
  revertTo(0);
}

/** Forgets all of them: the open block and what is before it can't be taken back any more. */
export function forgetPast(): void {
  setLength(journal, 0);
  setLength(past, 0);
  count = 0;
}
