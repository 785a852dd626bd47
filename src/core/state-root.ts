// Folds changed slots and accounts into the tries.
import {
  addressHash, clearDirtyAccounts, DIRTY, dirtyAccount, dirtyAccountCount, IN_TRIE, isEmpty, KEPT, markDirty,
  STORAGE_DIRTY, STORAGE_ROOT, STORAGE_TRIE,
} from './accounts';
import { keccak } from './keccak';
import { BLOCK_STATE_ROOT, HASHED, SCRATCH } from './layout';
import { clearDirtySlots, dirtySlot, dirtySlotCount, KEY, LEAF, OWNER, SLOT_DIRTY, VALUE } from './slots';
import { hashAll, requestRoot } from './trie-hash';
import { ACCOUNT_VALUE, KEY as LEAF_KEY, put, remove, SLOT_VALUE } from './trie-nodes';
import { isZero, reverse } from './words';

/** nibbles of a hashed key */
const NIBBLES: u32 = 64;
/** pointer to the root node of the state trie */
const STATE_TRIE: usize = memory.data(4);

/** Brings the tries up to date. The root stands at BLOCK_STATE_ROOT. */
export function updateStateRoot(): void {
  for (let i: u32 = 0; i < dirtySlotCount(); i++) foldSlot(dirtySlot(i));
  clearDirtySlots();
  const n = dirtyAccountCount();
  for (let i: u32 = 0; i < n; i++) {
    const account = dirtyAccount(i);
    if (load<u32>(account, STORAGE_DIRTY)) {
      requestRoot(account + STORAGE_TRIE, account + STORAGE_ROOT);
      store<u32>(account, 0, STORAGE_DIRTY);
    }
  }
  hashAll();
  for (let i: u32 = 0; i < n; i++) foldAccount(dirtyAccount(i));
  clearDirtyAccounts();
  requestRoot(STATE_TRIE, BLOCK_STATE_ROOT);
  hashAll();
}

function foldSlot(slot: usize): void {
  store<u32>(slot, 0, SLOT_DIRTY);
  const leaf: usize = load<u32>(slot, LEAF), account: usize = load<u32>(slot, OWNER);
  if (isZero(slot + VALUE)) {
    if (!leaf) return;
    remove(account + STORAGE_TRIE, leaf + LEAF_KEY);
    store<u32>(slot, 0, LEAF);
  } else if (leaf) put(account + STORAGE_TRIE, leaf + LEAF_KEY, NIBBLES, SLOT_VALUE, slot, 0);
  else {
    reverse(SCRATCH, slot + KEY);
    keccak(HASHED, SCRATCH, 32);
    store<u32>(slot, <u32>put(account + STORAGE_TRIE, HASHED, NIBBLES, SLOT_VALUE, slot, 0), LEAF);
  }
  store<u32>(account, 1, STORAGE_DIRTY);
  markDirty(account);
}

function foldAccount(account: usize): void {
  store<u32>(account, 0, DIRTY);
  const key = addressHash(account), isIn = load<u32>(account, IN_TRIE) != 0;
  const exists = !isEmpty(account) || load<u32>(account, KEPT) != 0;
  if (exists) put(STATE_TRIE, key, NIBBLES, ACCOUNT_VALUE, account, 0);
  else if (isIn) remove(STATE_TRIE, key);
  store<u32>(account, u32(exists), IN_TRIE);
}

