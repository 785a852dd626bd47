// Folds changed slots and accounts into the tries. A fold stands still where a node isn't loaded, and goes on
// with the slot or account that needs it.
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

/** dirty slots and accounts that the fold under way has done */
let foldedSlots: u32 = 0;
let foldedAccounts: u32 = 0;

export function setupStateRoot(): void {
  foldFromStart();
  setupDifferences();
}

/** Brings the tries up to date. @returns DONE: the root stands at BLOCK_STATE_ROOT; MISSING: call it again */
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

/** Gives back the tries that have come after a removal which was taken back. */
function releaseDropped(): void {
  for (let i: u32 = 0; i < length(droppedTries); i += 4) release(base(droppedTries) + i);
  setLength(droppedTries, 0);
}

/** Whether a fold has begun and stands still. */
function isFolding(): bool {
  return (foldedSlots | foldedAccounts) != 0;
}

/** Lets the next fold do all that is dirty, also what one that stands still has done. */
function foldFromStart(): void {
  foldedSlots = 0;
  foldedAccounts = 0;
}

/**
 * Drops all nodes: the next fold loads those that it needs. @returns false when some of them have to be
 * stored before, or a fold stands still
 */
export function dropNodes(): bool {
  if (isFolding() || load<u32>(STATE_UNSTORED) || hashedCount() > 0) return false;
  releaseAll();
  return true;
}

/** Goes on with the state trie whose root stands at SCRATCH. */
export function useStateRoot(): void {
  releaseTries();
  copyWord(BLOCK_STATE_ROOT, SCRATCH);
  trackState();
}

/** Goes on with tries of differences, the root of whose state trie stands at SCRATCH, and the mark of {@link beginDifferences} at HASHED. */
export function useDifferences(): void {
  releaseTries();
  copyWord(BLOCK_STATE_ROOT, SCRATCH);
  beginDifferences(HASHED);
}

/** Lets the next fold do what the journal has: all else that is dirty was taken back. */
export function listDifferences(): void {
  if (hasStaleFold()) takeBackFold();
  clearDirty();
  listChanges(0);
  for (let i: u32 = 0; i < changedSlotCount(); i++) markSlotDirty(load<u32>(changedSlots() + (i << 2)));
  for (let i: u32 = 0; i < changedAccountCount(); i++) markDirty(load<u32>(changedAccounts() + (i << 2)));
}

/** To be called when something was taken back: where it is folded, the tries become what they were before. */
export function takeBackFold(): void {
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

/** Gives back all nodes, whatever is unstored. */
function releaseTries(): void {
  clearHashed();
  releaseDropped();
  releaseAll();
  foldFromStart();
}

/** EIP-684, EIP-7610: whether no contract can be created at the account's address. */
export function isTaken(account: usize): bool {
  if ((load<u64>(account, NONCE) | <u64>load<u32>(account, CODE)) != 0) return true;
  if (!hasStorage(account) || holdsDifferences) return hasStorage(account);
  releaseDropped();
  // The trie may still have the slots of a creation that was taken back since the last fold.
  for (let i: u32 = 0; i < dirtySlotCount(); i++) {
    const slot = dirtySlot(i);
    if (load<u32>(slot, OWNER) == <u32>account && !foldSlot(slot)) return true;
  }
  return hasStorage(account);
}

/** @returns false when something is missing */
function foldSlot(slot: usize): bool {
  const account: usize = load<u32>(slot, OWNER), root = account + STORAGE_TRIE, hash = account + STORAGE_ROOT;
  const isGone = load<u32>(account, GONE);
  if (!load<u32>(slot, SLOT_LOADED) && !isGone) {
    // What was written to it after its account's storage was removed is taken back: the trie has its value.
    store<u16>(slot, 0, SLOT_DIRTY);
    return true;
  }
  const isRemoved = !holdsDifferences && isZero(slot + VALUE);
  if (isRemoved && load<u16>(slot, SLOT_ABSENT)) {
    store<u16>(slot, 0, SLOT_DIRTY);
    return true;
  }
  // What tries of differences need of an account is there, whether its fields are loaded or not.
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
  // The trie that was put aside may have it.
  store<u16>(slot, u32(isRemoved) & (isGone ^ 1), SLOT_ABSENT);
  store<u16>(slot, 0, SLOT_DIRTY);
  store<u32>(account, 1, STORAGE_DIRTY);
  markDirty(account);
  return true;
}

/** @returns false when something is missing */
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

/** @returns false when something is missing */
function foldDifference(account: usize): bool {
  if (isRootMissing(STATE_TRIE, BLOCK_STATE_ROOT)) return false;
  const kind = load<u32>(account, DIFFERS) ? ACCOUNT_VALUE : STORAGE_VALUE;
  if (!put(STATE_TRIE, addressHash(account), NIBBLES, kind, account, 0)) return false;
  store<u32>(account, 0, DIRTY);
  return true;
}
