// The block access list in RLP (EIP-7928), made from the cells that state/accesses.ts has collected: each account once, in order, with the
// changed slots, the slots that were only read, and the changes of its balance, nonce and code by index.
import { cells } from '../state/accesses.ts';
import { BALANCE_CHANGED, CODE_CHANGED, NONCE_CHANGED, SLOT_CHANGED, SLOT_READ } from '../state/cell-kinds.ts';
import {
  CELL_ADDRESS, CELL_CODE_LENGTH, CELL_INDEX, CELL_KEY, CELL_KIND, CELL_SIZE, CELL_VALUE,
} from '../state/entries.ts';
import { base, createBuffer, extend, length, room, setLength } from '../memory/heap.ts';
import { keccak } from '../memory/keccak.ts';
import { BLOCK_ACCESS_LIST_HASH } from '../memory/layout.ts';
import { headSize, startWriting, writeHead, writeInteger, writeString, written } from '../memory/rlp.ts';
import { EIP_7928 } from '../tables/rule.ts';

/** maximum size of the list heads around a cell, in bytes */
const HEADS_ROOM: u32 = 64;
/** bytes reserved for the head of a list before its payload is written */
const HEAD: u32 = 5;

/** sorted offsets of the cells; second buffer for the sorting */
let order: usize = 0;
let merged: usize = 0;
let list: usize = 0;
let items: u32 = 0;

export function setupAccessList(): void {
  order = createBuffer(10);
  merged = createBuffer(10);
  list = createBuffer(12);
}

/** Makes the list of all indexes so far, and its hash. Does nothing without EIP-7928. */
export function makeAccessList(): void {
  if (!load<u32>(EIP_7928)) return;
  const start = encodeAccessList(0, u32.MAX_VALUE);
  keccak(BLOCK_ACCESS_LIST_HASH, start, length(list));
}

/** Makes the list of the indexes in [from, to). @returns its address; its length is accessListLength() */
export function encodeAccessList(from: u32, to: u32): usize {
  sortCells(from, to);
  setLength(list, 0);
  const start = room(list, length(cells) + (length(order) >> 2) * HEADS_ROOM + HEADS_ROOM);
  startWriting(start);
  items = 0;
  const outer = openList();
  for (let i: u32 = 0; i < cellCount(); i = writeAccount(i)) {}
  closeList(outer);
  setLength(list, <u32>(written - start));
  return start;
}

/** Size in bytes of the last list made. */
export function accessListLength(): u32 {
  return length(list);
}

export function accessListBase(): usize {
  return base(list);
}

/** The number of addresses and slots in it. */
export function accessListItems(): u32 {
  return items;
}

/* @inline */ function cellCount(): u32 {
  return length(order) >> 2;
}

/* @inline */ function cellAt(i: u32): usize {
  return base(cells) + load<u32>(base(order) + (i << 2));
}

/* @inline */ function kindOf(cell: usize): u32 {
  return bswap<u32>(load<u32>(cell, CELL_KIND));
}

/* @inline */ function indexOf(cell: usize): u32 {
  return bswap<u32>(load<u32>(cell, CELL_INDEX));
}

/** @returns the first cell of the next account */
function writeAccount(first: u32): u32 {
  const address = cellAt(first) + CELL_ADDRESS;
  let end = first;
  while (end < cellCount() && memory.compare(cellAt(end) + CELL_ADDRESS, address, 20) == 0) end++;
  items++;
  const account = openList();
  writeString(address, 20);
  const changes = skipTo(first, end, SLOT_CHANGED), reads = skipTo(changes, end, SLOT_READ);
  const balances = skipTo(reads, end, BALANCE_CHANGED), nonces = skipTo(balances, end, NONCE_CHANGED);
  const codes = skipTo(nonces, end, CODE_CHANGED);
  writeSlotChanges(changes, reads);
  writeSlotReads(changes, reads, balances);
  writeChanges(balances, nonces);
  writeChanges(nonces, codes);
  writeChanges(codes, end);
  closeList(account);
  return end;
}

/** The first cell in [from, end) whose kind isn't below the given one. */
function skipTo(from: u32, end: u32, kind: u32): u32 {
  let i = from;
  while (i < end && kindOf(cellAt(i)) < kind) i++;
  return i;
}

function sameKey(a: u32, b: u32): bool {
  return memory.compare(cellAt(a) + CELL_KEY, cellAt(b) + CELL_KEY, 32) == 0;
}

function writeSlotChanges(from: u32, to: u32): void {
  const all = openList();
  for (let i = from; i < to;) {
    items++;
    const slot = openList();
    writeNumber(cellAt(i) + CELL_KEY);
    let end = i + 1;
    while (end < to && sameKey(end, i)) end++;
    writeChanges(i, end);
    closeList(slot);
    i = end;
  }
  closeList(all);
}

/** Writes the slots that are read but not changed in any index. */
function writeSlotReads(changes: u32, reads: u32, end: u32): void {
  const all = openList();
  let changed = changes;
  for (let i = reads; i < end; i++) {
    if (i > reads && sameKey(i, i - 1)) continue;
    while (changed < reads && memory.compare(cellAt(changed) + CELL_KEY, cellAt(i) + CELL_KEY, 32) < 0) changed++;
    if (changed < reads && sameKey(changed, i)) continue;
    items++;
    writeNumber(cellAt(i) + CELL_KEY);
  }
  closeList(all);
}

/** Writes a list of [index, new value]. */
function writeChanges(from: u32, to: u32): void {
  const all = openList();
  for (let i = from; i < to; i++) {
    const cell = cellAt(i), change = openList();
    writeInteger(indexOf(cell));
    if (kindOf(cell) == CODE_CHANGED) writeString(cell + CELL_SIZE, load<u32>(cell, CELL_CODE_LENGTH));
    else writeNumber(cell + CELL_VALUE);
    closeList(change);
  }
  closeList(all);
}

/** Writes a 32-byte big-endian number without leading zeros. */
function writeNumber(at: usize): void {
  let skipped: usize = 0;
  while (skipped < 32 && load<u8>(at + skipped) == 0) skipped++;
  writeString(at + skipped, <u32>(32 - skipped));
}

/** @returns the address of its payload, for {@link closeList} */
/* @inline */ function openList(): usize {
  startWriting(written + HEAD);
  return written;
}

/** Writes the head of a list, and moves its payload to the head's end. */
function closeList(payload: usize): void {
  const n = <u32>(written - payload), head = headSize(n), start = payload - HEAD;
  memory.copy(start + head, payload, n);
  startWriting(start);
  writeHead(n, 0xc0);
  startWriting(start + head + n);
}

/** Whether one cell sorts before another. */
/* @inline */ function precedes(a: u32, b: u32): bool {
  return memory.compare(base(cells) + a, base(cells) + b, <usize>CELL_CODE_LENGTH) < 0;
}

/** Sorts the offsets of the cells of the given indexes, by merge sort. */
function sortCells(from: u32, to: u32): void {
  setLength(order, 0);
  for (let at: u32 = 0; at < length(cells);) {
    const cell = base(cells) + at, index = indexOf(cell);
    if (index >= from && index < to) store<u32>(extend(order, 4), at);
    at += CELL_SIZE + ((load<u32>(cell, CELL_CODE_LENGTH) + 31) & ~31);
  }
  const n = cellCount();
  room(merged, n << 2);
  for (let width: u32 = 1; width < n; width <<= 1) {
    const source = base(order), target = base(merged);
    for (let low: u32 = 0; low < n; low += width << 1) {
      const middle = min(low + width, n), high = min(middle + width, n);
      let a = low, b = middle;
      for (let i = low; i < high; i++) {
        const takesA = a < middle && (b >= high || !precedes(load<u32>(source + (b << 2)), load<u32>(source + (a << 2))));
        store<u32>(target + (i << 2), load<u32>(source + ((takesA ? a++ : b++) << 2)));
      }
    }
    memory.copy(source, target, n << 2);
  }
}
