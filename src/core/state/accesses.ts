// The accesses and changes of the open block, for its block access list (EIP-7928).
//
// The list counts by index: index 0 is for the protocol's writes at the start of the block, then each transaction has one, and the last one
// is for the protocol's writes at the end. While an index runs, the accounts and slots that it accesses are collected here, each once. They
// are kept when a frame is rolled back. Changes are found in the journal when the index ends (closeIndex()): each account and slot is then
// converted to entries of `cells`, which contain no pointers into the tables, so that the block can continue elsewhere. out/access-list.ts
// makes the list from all cells.
import {
  ACCESSED, ACCOUNT_SIZE, ADDRESS, BALANCE, CODE, CODE_HASH, NONCE,
} from './accounts.ts';
import {
  CELL_ADDRESS, CELL_CODE_LENGTH, CELL_INDEX, CELL_KEY, CELL_KIND, CELL_SIZE, CELL_VALUE, CODE_BYTES, CODE_LENGTH, SLOT_ACCESSED,
} from './entries.ts';
import {
  BALANCE_CHANGED, CODE_CHANGED, NONCE_CHANGED, SLOT_CHANGED, SLOT_READ, TOUCHED,
} from './cell-kinds.ts';
import { base, createBuffer, extend, length, setLength } from '../memory/heap.ts';
import { ACCOUNT_WORD, journal, mark, recordSize, SLOT_VALUE } from './journal.ts';
import { KEY, OWNER, VALUE } from './slots.ts';
import { ADDRESS_BYTES } from '../memory/layout.ts';
import { equal, reverse, setWord } from '../memory/words.ts';
import { EIP_7928 } from '../tables/rule.ts';

/** for each account: pointer; offsets in the journal of its balance, nonce and code hash before the index, plus 1; 0 = unchanged */
let accounts: usize = 0;
const ACCOUNT_ROW: u32 = 16;
const ROW_BALANCE: usize = 4;
const ROW_NONCE: usize = 8;
const ROW_CODE: usize = 12;
/** for each slot: pointer; offset in the journal of its value before the index, plus 1 */
let slots: usize = 0;
const SLOT_ROW: u32 = 8;

export let cells: usize = 0;
/** the current or next index, and the mark of the journal at its beginning */
let index: u32 = 0, indexMark: u32 = 0;
/** range of the journal with the slots of accounts that EIP-161 removed in this index */
let removedFrom: u32 = 0, removedTo: u32 = 0;

export function setupAccesses(): void {
  accounts = createBuffer(10);
  slots = createBuffer(10);
  cells = createBuffer(14);
}

/** Initializes the accesses when a block begins. @param done number of its indexes that have already ended elsewhere */
export function startAccesses(done: u32): void {
  setLength(cells, 0);
  index = done;
  beginIndex();
}

/** Begins the next index. Accesses collected since the end of the last one are discarded. */
export function beginIndex(): void {
  setLength(accounts, 0);
  setLength(slots, 0);
  indexMark = mark();
  removedFrom = removedTo = 0;
}

/**
 * Excludes slots that were cleared with their account (EIP-161): no code has accessed them. An empty account has slots only if a
 * development method or the genesis state gave it some.
 * @param from, to their range in the journal
 */
export function leaveOutSlots(from: u32, to: u32): void {
  removedFrom = from;
  removedTo = to;
}

export function accessAccount(account: usize): void {
  if (load<u32>(EIP_7928)) rowOfAccount(account);
}

export function accessSlot(slot: usize): void {
  if (load<u32>(EIP_7928)) rowOfSlot(slot);
}

/** Returns the row of an account, creating it if there is none. */
function rowOfAccount(account: usize): usize {
  const at = load<u32>(account, ACCESSED);
  if (at < length(accounts) && load<u32>(base(accounts) + at) == <u32>account) return base(accounts) + at;
  store<u32>(account, length(accounts), ACCESSED);
  const row = extend(accounts, ACCOUNT_ROW);
  store<u64>(row, <u64>account);
  store<u64>(row, 0, 8);
  return row;
}

function rowOfSlot(slot: usize): usize {
  const at = load<u32>(slot, SLOT_ACCESSED);
  if (at < length(slots) && load<u32>(base(slots) + at) == <u32>slot) return base(slots) + at;
  store<u32>(slot, length(slots), SLOT_ACCESSED);
  const row = extend(slots, SLOT_ROW);
  store<u64>(row, <u64>slot);
  return row;
}

/** Ends the current index: converts its accesses to cells. */
export function closeIndex(): void {
  if (!load<u32>(EIP_7928)) return;
  findChanges();
  for (let i: u32 = 0; i < length(accounts); i += ACCOUNT_ROW) addAccountCells(base(accounts) + i);
  for (let i: u32 = 0; i < length(slots); i += SLOT_ROW) addSlotCell(base(slots) + i);
  index++;
  beginIndex();
}

/** Walks the journal backwards, so that the oldest value of each word is found last. */
function findChanges(): void {
  for (let at = length(journal); at > indexMark; at -= recordSize(at)) {
    const pointer = load<u32>(base(journal) + at - 4), kind = pointer & 3;
    if (kind == SLOT_VALUE) {
      if (at <= removedFrom || at > removedTo) store<u32>(rowOfSlot(<usize>(pointer & ~3) - VALUE), at - 35, 4);
    } else if (kind == ACCOUNT_WORD) {
      const account: usize = pointer & ~(ACCOUNT_SIZE - 1), word = <usize>pointer - account;
      if (word == BALANCE) store<u32>(rowOfAccount(account), at - 35, ROW_BALANCE);
      else if (word == NONCE) store<u32>(rowOfAccount(account), at - 35, ROW_NONCE);
      else if (word == CODE_HASH) store<u32>(rowOfAccount(account), at - 35, ROW_CODE);
    }
  }
}

/** The address of a word from before the index in the journal. */
/* @inline */ function before(at: u32): usize {
  return base(journal) + at - 1;
}

function addAccountCells(row: usize): void {
  const account: usize = load<u32>(row), balance = load<u32>(row, ROW_BALANCE), nonce = load<u32>(row, ROW_NONCE);
  const code = load<u32>(row, ROW_CODE), cellsBefore = length(cells);
  if (balance && !equal(before(balance), account + BALANCE))
    reverse(addCell(BALANCE_CHANGED, account, 0) + CELL_VALUE, account + BALANCE);
  if (nonce && load<u64>(before(nonce)) != load<u64>(account, NONCE)) {
    const cell = addCell(NONCE_CHANGED, account, 0);
    store<u64>(cell, bswap<u64>(load<u64>(account, NONCE)), CELL_VALUE + 24);
  }
  if (code && !equal(before(code), account + CODE_HASH)) {
    const record: usize = load<u32>(account, CODE), n = record ? load<u32>(record, CODE_LENGTH) : 0;
    const cell = addCell(CODE_CHANGED, account, n);
    store<u32>(cell, n, CELL_CODE_LENGTH);
    if (n) memory.copy(cell + CELL_SIZE, record + CODE_BYTES, n);
  }
  if (length(cells) == cellsBefore) addCell(TOUCHED, account, 0);
}

function addSlotCell(row: usize): void {
  const slot: usize = load<u32>(row), old = load<u32>(row, 4), account: usize = load<u32>(slot, OWNER);
  const hasChanged = old != 0 && !equal(before(old), slot + VALUE);
  const cell = addCell(hasChanged ? SLOT_CHANGED : SLOT_READ, account, 0);
  reverse(cell + CELL_KEY, slot + KEY);
  if (hasChanged) reverse(cell + CELL_VALUE, slot + VALUE);
}

/** @param more number of bytes that follow the cell */
function addCell(kind: u32, account: usize, more: u32): usize {
  const cell = extend(cells, CELL_SIZE + ((more + 31) & ~31));
  reverse(ADDRESS_BYTES, account + ADDRESS);
  memory.copy(cell + CELL_ADDRESS, ADDRESS_BYTES + 12, 20);
  store<u32>(cell, bswap<u32>(kind), CELL_KIND);
  setWord(cell + CELL_KEY, 0);
  store<u32>(cell, bswap<u32>(index), CELL_INDEX);
  store<u32>(cell, 0, CELL_CODE_LENGTH);
  setWord(cell + CELL_VALUE, 0);
  return cell;
}

/** Returns room for n bytes of cells that were made elsewhere, which precede all other cells of the block. */
export function roomForCells(n: u32): usize {
  setLength(cells, 0);
  return extend(cells, n);
}

export function cellsBase(): usize {
  return base(cells);
}

export function cellsLength(): u32 {
  return length(cells);
}
