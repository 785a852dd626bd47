// The tries of a forked chain: they contain the differences from the state at the fork block, and the host reads them, too
// (src/state/forked-state.ts). The state trie contains an account with all of its fields once one of them was written; before that, with a
// record that means "storage only". A storage trie contains all slots that were written, even zeros: its values begin with a byte of 1.
// Records of removed accounts and removed storage are made only by the host: blocks that remove something are folded there.
//
// Differences can't be derived from the current values, so after a rollback these tries can't be restored by folding the content of the
// tables again. They are reloaded from the root that they had before.
import { DIFFERS, STORAGE_ROOT } from '../state/entries.ts';
import { isListed } from '../state/changes.ts';
import { base, createBuffer, extend, length, setLength } from '../memory/heap.ts';
import { journal } from '../state/journal.ts';
import { BLOCK_STATE_ROOT, EMPTY_TRIE_ROOT } from '../memory/layout.ts';
import { beginList, endList, writeHash, writeInteger, writeString } from '../memory/rlp.ts';
import { copyWord, isZero, reverse } from '../memory/words.ts';

/** whether the tries contain differences */
export let holdsDifferences: bool = false;

/** the code hash that marks the record of an account of which only storage was written */
const STORAGE_ONLY: usize = memory.data(32);
/** the state root before the folds that can be rolled back */
const ROOT_BEFORE: usize = memory.data(32);
/** a byte of 1, followed by the 32 bytes of a slot's value */
const WRITTEN: usize = memory.data(33);

/** accounts that were folded since ROOT_BEFORE, with their former DIFFERS and STORAGE_ROOT */
let before: usize = 0;
const BEFORE_SIZE: u32 = 40;
/** length of the journal at the last fold */
let foldedTo: u32 = 0;

export function setupDifferences(): void {
  holdsDifferences = false;
  before = createBuffer(10);
  foldedTo = 0;
}

/** @param mark the code hash that means "storage only" */
export function beginDifferences(mark: usize): void {
  holdsDifferences = true;
  copyWord(STORAGE_ONLY, mark);
  keepFold();
}

/** Makes all folds so far permanent: they can't be rolled back any more. */
export function keepFold(): void {
  setLength(before, 0);
  foldedTo = 0;
  copyWord(ROOT_BEFORE, BLOCK_STATE_ROOT);
}

/** Records that the whole journal has been folded. */
export function noteFold(): void {
  foldedTo = length(journal);
}

/** Whether writes were rolled back that have been folded. */
export function hasStaleFold(): bool {
  return length(journal) < foldedTo;
}

/** Saves an account before it is folded. If its fields were written, its record will contain all of them from now on. */
export function saveBefore(account: usize): void {
  const at = extend(before, BEFORE_SIZE);
  store<u32>(at, <u32>account);
  store<u32>(at, load<u32>(account, DIFFERS), 4);
  copyWord(at + 8, account + STORAGE_ROOT);
  if (isListed(account)) store<u32>(account, 1, DIFFERS);
}

/** Restores accounts and the state root to their values before the folds. */
export function restoreBefore(): void {
  for (let at = length(before); at > 0; at -= BEFORE_SIZE) {
    const saved = base(before) + at - BEFORE_SIZE, account: usize = load<u32>(saved);
    store<u32>(account, load<u32>(saved, 4), DIFFERS);
    copyWord(account + STORAGE_ROOT, saved + 8);
  }
  copyWord(BLOCK_STATE_ROOT, ROOT_BEFORE);
  keepFold();
}

/** The root of an account's storage trie. A root of 0 is unknown, and belongs to the other state. */
export function ownStorageRoot(account: usize): usize {
  const root = account + STORAGE_ROOT;
  return holdsDifferences && isZero(root) ? EMPTY_TRIE_ROOT : root;
}

/** Writes the record of an account of which only storage was written. @returns its address */
export function encodeStorageOnly(account: usize, buffer: usize): usize {
  beginList(buffer);
  writeInteger(0);
  writeInteger(0);
  writeHash(ownStorageRoot(account));
  writeHash(STORAGE_ONLY);
  return endList(buffer);
}

/** Writes the value of a written slot, which may be 0. */
export function writeWritten(value: usize): void {
  reverse(WRITTEN + 1, value);
  let at: usize = 0;
  while (at < 32 && !load<u8>(WRITTEN + 1 + at)) at++;
  store<u8>(WRITTEN + at, 1);
  writeString(WRITTEN + at, <u32>(33 - at));
}
