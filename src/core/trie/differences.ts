// The tries of a forked chain: they hold what differs from the state that it began with, which the host reads (src/state/forked-state.ts).
// An account is in the state trie with all of its fields once one of them was written; before that, with a record that stands for
// "storage only". A storage trie holds all slots that were written, 0 too: its values begin with a byte of 1. Removed accounts and storage
// have records that are made by the host alone: a block that removes something is folded there.
//
// What differs isn't known from the values, so that these tries can't be brought back by folding what stands in the tables after something
// was taken back. They are made anew from the root that they had.
import { DIFFERS, STORAGE_ROOT } from '../state/entries.ts';
import { isListed } from '../state/changes.ts';
import { base, createBuffer, extend, length, setLength } from '../memory/heap.ts';
import { journal } from '../state/journal.ts';
import { BLOCK_STATE_ROOT, EMPTY_TRIE_ROOT } from '../memory/layout.ts';
import { beginList, endList, writeHash, writeInteger, writeString } from '../memory/rlp.ts';
import { copyWord, isZero, reverse } from '../memory/words.ts';

/** whether the tries hold differences */
export let holdsDifferences: bool = false;

/** the code hash in the record of an account of which only storage was written */
const STORAGE_ONLY: usize = memory.data(32);
/** the state root before the folds that can be taken back */
const ROOT_BEFORE: usize = memory.data(32);
/** a byte of 1, and the 32 bytes of a slot's value behind it */
const WRITTEN: usize = memory.data(33);

/** accounts that were folded since ROOT_BEFORE, each with DIFFERS and STORAGE_ROOT as they were */
let before: usize = 0;
const BEFORE_SIZE: u32 = 40;
/** length of the journal at the last fold */
let foldedTo: u32 = 0;

export function setupDifferences(): void {
  holdsDifferences = false;
  before = createBuffer(10);
  foldedTo = 0;
}

/** @param mark the code hash that stands for "storage only" */
export function beginDifferences(mark: usize): void {
  holdsDifferences = true;
  copyWord(STORAGE_ONLY, mark);
  keepFold();
}

/** The folds up to now can't be taken back any more. */
export function keepFold(): void {
  setLength(before, 0);
  foldedTo = 0;
  copyWord(ROOT_BEFORE, BLOCK_STATE_ROOT);
}

/** Notes that all of the journal is folded. */
export function noteFold(): void {
  foldedTo = length(journal);
}

/** Whether something was taken back that is folded. */
export function hasStaleFold(): bool {
  return length(journal) < foldedTo;
}

/** Notes what an account has before it is folded. One whose fields were written has all of them in its record from now on. */
export function saveBefore(account: usize): void {
  const at = extend(before, BEFORE_SIZE);
  store<u32>(at, <u32>account);
  store<u32>(at, load<u32>(account, DIFFERS), 4);
  copyWord(at + 8, account + STORAGE_ROOT);
  if (isListed(account)) store<u32>(account, 1, DIFFERS);
}

/** Gives accounts and the state root back what they had before the folds. */
export function restoreBefore(): void {
  for (let at = length(before); at > 0; at -= BEFORE_SIZE) {
    const saved = base(before) + at - BEFORE_SIZE, account: usize = load<u32>(saved);
    store<u32>(account, load<u32>(saved, 4), DIFFERS);
    copyWord(account + STORAGE_ROOT, saved + 8);
  }
  copyWord(BLOCK_STATE_ROOT, ROOT_BEFORE);
  keepFold();
}

/** The root of an account's own storage trie. One that isn't known, 0, belongs to the other state. */
export function ownStorageRoot(account: usize): usize {
  const root = account + STORAGE_ROOT;
  return holdsDifferences && isZero(root) ? EMPTY_TRIE_ROOT : root;
}

/** Writes the record of an account of which only storage was written. @returns where it begins */
export function encodeStorageOnly(account: usize, buffer: usize): usize {
  beginList(buffer);
  writeInteger(0);
  writeInteger(0);
  writeHash(ownStorageRoot(account));
  writeHash(STORAGE_ONLY);
  return endList(buffer);
}

/** Writes the value of a slot that was written, which may be 0. */
export function writeWritten(value: usize): void {
  reverse(WRITTEN + 1, value);
  let at: usize = 0;
  while (at < 32 && !load<u8>(WRITTEN + 1 + at)) at++;
  store<u8>(WRITTEN + at, 1);
  writeString(WRITTEN + at, <u32>(33 - at));
}
