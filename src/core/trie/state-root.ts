// Folds changed slots and accounts into the tries. A fold is paused when a node isn't loaded, and continues with the slot or account that
// needs it.
import {
  ABSENT, addressHash, clearDirtyAccounts, CODE, DIRTY, dirtyAccount, dirtyAccountCount, exists, hasStorage,
  markDirty, NONCE, STORAGE_DIRTY, STORAGE_ROOT, STORAGE_TRIE, STORAGE_UNSTORED,
} from '../state/accounts.ts';
import { DONE, MISSING } from '../memory/halts.ts';
import { base, length, setLength } from '../memory/heap.ts';
import { changedAccountCount, changedAccounts, changedSlotCount, changedSlots, listChanges } from '../state/changes.ts';
import {
  beginDifferences, hasStaleFold, holdsDifferences, noteFold, restoreBefore, saveBefore, setupDifferences,
} from './differences.ts';
import { DIFFERS, GONE } from '../state/entries.ts';
import { droppedTries } from '../state/journal.ts';
import { keccak } from '../memory/keccak.ts';
import { BLOCK_STATE_ROOT, EMPTY_TRIE_ROOT, HASHED, SCRATCH } from '../memory/layout.ts';
import { isAccountMissing } from './missing.ts';
import { isRootMissing } from './node-loading.ts';
import {
  clearDirtySlots, dirtySlot, dirtySlotCount, KEY, LEAF, markSlotDirty, OWNER, SLOT_ABSENT, SLOT_DIRTY, SLOT_LOADED, VALUE,
} from '../state/slots.ts';
import {
  clearHashed, hashedCount, noteHashed, noteLoaded, releaseAll, STATE_TRIE, STATE_UNSTORED, trackState,
} from './state-tries.ts';
import { hashAll, requestRoot } from './trie-hash.ts';
import { put, remove } from './trie-changes.ts';
import { ACCOUNT_VALUE, KEY as LEAF_KEY, release, SLOT_VALUE, STORAGE_VALUE } from './trie-nodes.ts';
import { copyWord, isZero, reverse } from '../memory/words.ts';

/** nibbles of a hashed key */
const NIBBLES: u32 = 64;

/** numbers of dirty slots and accounts that the current fold has completed */
let foldedSlots: u32 = 0;
let foldedAccounts: u32 = 0;

export function setupStateRoot(): void {
  foldFromStart();
  setupDifferences();
}

/** Folds all changes into the tries. @returns DONE: the root is at BLOCK_STATE_ROOT; MISSING: call again */
export function updateStateRoot(): i32 {
  releaseDropped();
  for (; foldedSlots < dirtySlotCount(); foldedSlots++) {
    if (!foldSlot(dirtySlot(foldedSlots))) return MISSING;
  }
  const n = dirtyAccountCount();
  for (let i: u32 = 0; i < n; i++) {
    const account = dirtyAccount(i);
    if (holdsDifferences) saveBefore(account);
    if (!load<u32>(account, STORAGE_DIRTY)) continue;
    store<u32>(account, 0, STORAGE_DIRTY);
    if (!load<u32>(account, STORAGE_TRIE)) continue;
    requestRoot(account + STORAGE_TRIE, account + STORAGE_ROOT, account + STORAGE_UNSTORED);
    noteHashed(account);
  }
  hashAll();
  for (; foldedAccounts < n; foldedAccounts++) {
    if (!foldAccount(dirtyAccount(foldedAccounts))) return MISSING;
  }
  foldFromStart();
  clearDirtySlots();
  clearDirtyAccounts();
  if (n > 0 && load<u32>(STATE_TRIE)) {
    requestRoot(STATE_TRIE, BLOCK_STATE_ROOT, STATE_UNSTORED);
    hashAll();
  }
  if (holdsDifferences) noteFold();
  return DONE;
}

/** Releases the tries that were created after a removal which was rolled back. */
function releaseDropped(): void {
  for (let i: u32 = 0; i < length(droppedTries); i += 4) release(base(droppedTries) + i);
  setLength(droppedTries, 0);
}

/** Whether a fold has begun and is paused. */
function isFolding(): bool {
  return (foldedSlots | foldedAccounts) != 0;
}

/** Makes the next fold process everything that is dirty, including what a paused fold has done. */
function foldFromStart(): void {
  foldedSlots = 0;
  foldedAccounts = 0;
}

/**
 * Discards all nodes; the next fold loads those that it needs. @returns false if some of them have to be stored first, or a fold is paused
 */
export function dropNodes(): bool {
  if (isFolding() || load<u32>(STATE_UNSTORED) || hashedCount() > 0) return false;
  releaseAll();
  return true;
}

/** Switches to the state trie whose root is at SCRATCH. */
export function useStateRoot(): void {
  releaseTries();
  copyWord(BLOCK_STATE_ROOT, SCRATCH);
  trackState();
}

/** Switches to tries of differences. The root of their state trie is at SCRATCH, and the mark of {@link beginDifferences} at HASHED. */
export function useDifferences(): void {
  releaseTries();
  copyWord(BLOCK_STATE_ROOT, SCRATCH);
  beginDifferences(HASHED);
}

/** Makes the next fold process exactly the writes in the journal: everything else that is dirty was rolled back. */
export function listDifferences(): void {
  if (hasStaleFold()) rollBackFold();
  clearDirty();
  listChanges(0);
  for (let i: u32 = 0; i < changedSlotCount(); i++) markSlotDirty(load<u32>(changedSlots() + (i << 2)));
  for (let i: u32 = 0; i < changedAccountCount(); i++) markDirty(load<u32>(changedAccounts() + (i << 2)));
}

/** Must be called after a rollback: if the rolled back writes have been folded, the tries are restored. */
export function rollBackFold(): void {
  if (!holdsDifferences || !hasStaleFold()) return;
  clearDirty();
  releaseTries();
  restoreBefore();
}

function clearDirty(): void {
  foldFromStart();
  for (let i: u32 = 0; i < dirtySlotCount(); i++) store<u16>(dirtySlot(i), 0, SLOT_DIRTY);
  clearDirtySlots();
  for (let i: u32 = 0; i < dirtyAccountCount(); i++) {
    store<u32>(dirtyAccount(i), 0, DIRTY);
    store<u32>(dirtyAccount(i), 0, STORAGE_DIRTY);
  }
  clearDirtyAccounts();
}

/** Releases all nodes, even unstored ones. */
function releaseTries(): void {
  clearHashed();
  releaseDropped();
  releaseAll();
  foldFromStart();
}

/** EIP-684, EIP-7610: whether the account's address is taken, so that no contract can be created there. */
export function isTaken(account: usize): bool {
  if ((load<u64>(account, NONCE) | <u64>load<u32>(account, CODE)) != 0) return true;
  if (!hasStorage(account) || holdsDifferences) return hasStorage(account);
  releaseDropped();
  // The trie may still contain slots of a creation that was rolled back since the last fold.
  for (let i: u32 = 0; i < dirtySlotCount(); i++) {
    const slot = dirtySlot(i);
    if (load<u32>(slot, OWNER) == <u32>account && !foldSlot(slot)) return true;
  }
  return hasStorage(account);
}

/** @returns false when a node or state is missing */
function foldSlot(slot: usize): bool {
  const account: usize = load<u32>(slot, OWNER), root = account + STORAGE_TRIE, hash = account + STORAGE_ROOT;
  const isGone = load<u32>(account, GONE);
  if (!load<u32>(slot, SLOT_LOADED) && !isGone) {
    // The slot was written after its account's storage was removed, and both were rolled back: the trie has its value.
    store<u16>(slot, 0, SLOT_DIRTY);
    return true;
  }
  const isRemoved = !holdsDifferences && isZero(slot + VALUE);
  if (isRemoved && load<u16>(slot, SLOT_ABSENT)) {
    store<u16>(slot, 0, SLOT_DIRTY);
    return true;
  }
  // Tries of differences don't need the account's fields, so they needn't be loaded.
  if (!holdsDifferences && isAccountMissing(account)) return false;
  noteLoaded(account);
  if (isRootMissing(root, hash)) return false;
  let leaf: usize = load<u32>(slot, LEAF), key = leaf + LEAF_KEY;
  if (!leaf) {
    reverse(SCRATCH, slot + KEY);
    keccak(HASHED, SCRATCH, 32);
    key = HASHED;
  }
  if (isRemoved) {
    if (!remove(root, key)) return false;
    if (!load<u32>(root)) copyWord(hash, EMPTY_TRIE_ROOT);
    leaf = 0;
  } else {
    leaf = put(root, key, NIBBLES, SLOT_VALUE, slot, 0);
    if (!leaf) return false;
  }
  store<u32>(slot, <u32>leaf, LEAF);
  // The trie that was put aside may contain the slot.
  store<u16>(slot, u32(isRemoved) & (isGone ^ 1), SLOT_ABSENT);
  store<u16>(slot, 0, SLOT_DIRTY);
  store<u32>(account, 1, STORAGE_DIRTY);
  markDirty(account);
  return true;
}

/** @returns false when a node or state is missing */
function foldAccount(account: usize): bool {
  if (holdsDifferences) return foldDifference(account);
  if (isAccountMissing(account)) return false;
  const isThere = exists(account);
  if (isThere || !load<u32>(account, ABSENT)) {
    if (isRootMissing(STATE_TRIE, BLOCK_STATE_ROOT)) return false;
    const key = addressHash(account);
    if (isThere) {
      if (!put(STATE_TRIE, key, NIBBLES, ACCOUNT_VALUE, account, 0)) return false;
    } else {
      if (!remove(STATE_TRIE, key)) return false;
      if (!load<u32>(STATE_TRIE)) copyWord(BLOCK_STATE_ROOT, EMPTY_TRIE_ROOT);
    }
    store<u32>(account, u32(!isThere), ABSENT);
  }
  store<u32>(account, 0, DIRTY);
  return true;
}

/** @returns false when a node is missing */
function foldDifference(account: usize): bool {
  if (isRootMissing(STATE_TRIE, BLOCK_STATE_ROOT)) return false;
  const kind = load<u32>(account, DIFFERS) ? ACCOUNT_VALUE : STORAGE_VALUE;
  if (!put(STATE_TRIE, addressHash(account), NIBBLES, kind, account, 0)) return false;
  store<u32>(account, 0, DIRTY);
  return true;
}
