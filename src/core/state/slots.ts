// The table of storage slots, persistent and transient (EIP-1153). An entry has 128 bytes and never moves.
import { epoch, STORAGE_LOADED } from './accounts.ts';
import { FRESH, HAS_SLOTS, KEY, ORIGINAL, OWNER, SLOT_ABSENT, SLOT_DIRTY, SLOT_LOADED, VALUE } from './entries.ts';
import { cellCount, createIndex, firstCell, insert, nextCell } from '../memory/hash-index.ts';
import { base, clearPool, createBuffer, extend, length, setLength, take } from '../memory/heap.ts';
import { RULES_LAZY } from '../memory/layout.ts';
import { copyWord, equal, setWord } from '../memory/words.ts';

export {
  FRESH, KEY, LEAF, ORIGINAL, OWNER, SLOT_ABSENT, SLOT_DIRTY, SLOT_LOADED, SLOT_WARM, VALUE,
} from './entries.ts';

const SLOT_SIZE: u32 = 128;

let index: usize = 0;
/** an entry that belongs to no account */
const NO_SLOT: usize = memory.data(64);
/** The last entry found: a slot is often stored to right after it was loaded. */
let last: usize = NO_SLOT;
const pool: usize = memory.data(12);
/** pointers to the entries that changed since the last fold into the tries */
let dirtySlots: usize = 0;

export function setupSlots(): void {
  index = createIndex(12);
  clearPool(pool);
  last = NO_SLOT;
  dirtySlots = createBuffer(12);
}

/** Returns the entry of a slot, creating it if there is none. */
export function slotAt(account: usize, key: usize): usize {
  const slot = find(account, key);
  if (load<u32>(slot, FRESH) != epoch) {
    store<u32>(slot, epoch, FRESH);
    copyWord(slot + ORIGINAL, slot + VALUE);
  }
  return slot;
}

/** Returns the entry of a transient slot, which is 0 at the start of each transaction. */
export function transientSlotAt(account: usize, key: usize): usize {
  const slot = find(account + 1, key);
  if (load<u32>(slot, FRESH) != epoch) {
    store<u32>(slot, epoch, FRESH);
    setWord(slot + VALUE, 0);
  }
  return slot;
}

function find(owner: usize, key: usize): usize {
  if (load<u32>(last, OWNER) == <u32>owner && equal(last + KEY, key)) return last;
  let mixed = (load<u64>(key) * 0x9e3779b97f4a7c15) ^ (load<u64>(key, 8) * 0xc2b2ae3d27d4eb4f);
  mixed ^= (load<u64>(key, 16) * 0x165667b19e3779f9) ^ (load<u64>(key, 24) * 0x27d4eb2f165667c5);
  mixed ^= <u64>owner * 0x9e3779b1;
  mixed ^= mixed >> 32;
  const hash = <u32>mixed;
  for (let cell = firstCell(index, hash); ; cell = nextCell(index, cell)) {
    const entry: usize = load<u32>(cell, 4);
    if (!entry) break;
    if (load<u32>(cell) == hash && load<u32>(entry, OWNER) == <u32>owner && equal(entry + KEY, key)) {
      last = entry;
      return entry;
    }
  }
  const entry = take(pool, SLOT_SIZE);
  store<u32>(entry, <u32>owner, OWNER);
  copyWord(entry + KEY, key);
  const known = load<u32>(RULES_LAZY) == 0 || (owner & 1) != 0 || load<u32>(owner, STORAGE_LOADED) != 0;
  store<u32>(entry, u32(known), SLOT_LOADED);
  store<u16>(entry, u32(known), SLOT_ABSENT);
  if (!(owner & 1)) store<u32>(owner, 1, HAS_SLOTS);
  insert(index, hash, entry);
  last = entry;
  return entry;
}

export function slotCellCount(): u32 {
  return cellCount(index);
}

/** The entry in a cell of the table; 0 = the cell is empty. The entry may be a transient slot. */
export function slotInCell(i: u32): usize {
  return load<u32>(firstCell(index, i), 4);
}

export function markSlotDirty(slot: usize): void {
  if (load<u16>(slot, SLOT_DIRTY)) return;
  store<u16>(slot, 1, SLOT_DIRTY);
  store<u32>(extend(dirtySlots, 4), <u32>slot);
}

export function dirtySlotCount(): u32 {
  return length(dirtySlots) >> 2;
}

export function dirtySlot(i: u32): usize {
  return load<u32>(base(dirtySlots) + (i << 2));
}

export function clearDirtySlots(): void {
  setLength(dirtySlots, 0);
}
