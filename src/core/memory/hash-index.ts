// The hash index of a table: open addressing, cells of 8 bytes (hash, entry), load factor at most 3/4. Entries never move, so the journal
// and the tries can contain pointers to them.
import { allocate, allocatePower, releasePower } from './heap.ts';

// fields of an index: base, mask of the cell number, number of entries, logarithm of its size in bytes

export function createIndex(bits: u32): usize {
  const index = allocate(16);
  store<u32>(index, <u32>allocatePower(bits));
  store<u32>(index, (1 << (bits - 3)) - 1, 4);
  store<u32>(index, bits, 12);
  return index;
}

/* @inline */ export function firstCell(index: usize, hash: u32): usize {
  return load<u32>(index) + ((hash & load<u32>(index, 4)) << 3);
}

/* @inline */ export function nextCell(index: usize, cell: usize): usize {
  return <usize>load<u32>(index) + ((cell + 8 - load<u32>(index)) & ((<usize>load<u32>(index, 4) << 3) | 7));
}

export function cellCount(index: usize): u32 {
  return load<u32>(index, 4) + 1;
}

/** Inserts an entry that isn't in the index yet. */
export function insert(index: usize, hash: u32, entry: usize): void {
  const entries = load<u32>(index, 8) + 1;
  store<u32>(index, entries, 8);
  if (entries > (load<u32>(index, 4) >> 2) * 3) grow(index);
  place(index, hash, entry);
}

function place(index: usize, hash: u32, entry: usize): void {
  let cell = firstCell(index, hash);
  while (load<u32>(cell, 4)) cell = nextCell(index, cell);
  store<u32>(cell, hash);
  store<u32>(cell, <u32>entry, 4);
}

function grow(index: usize): void {
  const old: usize = load<u32>(index), bits = load<u32>(index, 12), end = old + (<usize>1 << bits);
  store<u32>(index, <u32>allocatePower(bits + 1));
  store<u32>(index, (1 << (bits - 2)) - 1, 4);
  store<u32>(index, bits + 1, 12);
  for (let cell = old; cell < end; cell += 8) {
    if (load<u32>(cell, 4)) place(index, load<u32>(cell), load<u32>(cell, 4));
  }
  releasePower(old, bits);
}
