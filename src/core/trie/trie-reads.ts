// Reads accounts and slots that aren't in the tables from the tries. An entry that isn't loaded was never written, so the tries have its
// current value, whatever has been folded into them.
import {
  ABSENT, addressHash, BALANCE, CODE, CODE_HASH, KEPT, LOADED, NONCE, STORAGE_LOADED, STORAGE_ROOT, STORAGE_TRIE,
} from '../state/accounts.ts';
import { keccak } from '../memory/keccak.ts';
import { MISSING_ACCOUNT, MISSING_SLOT } from '../memory/halts.ts';
import { BLOCK_STATE_ROOT, EMPTY_CODE_HASH } from '../memory/layout.ts';
import { missPart } from '../state/misses.ts';
import { isRootMissing, loadChild } from './node-loading.ts';
import { item, moveTo, nextBytes, nextList, nextNumber, nextWord, startReading } from '../memory/rlp.ts';
import { KEY as SLOT_KEY, ORIGINAL, OWNER, SLOT_ABSENT, SLOT_LOADED, VALUE } from '../state/slots.ts';
import { noteLoaded, STATE_TRIE } from './state-tries.ts';
import { CHILD, CHILDREN, child, commonNibbles, DEPTH, isLeaf, KEY, nibble, VALUE_AT, VALUE_LENGTH } from './trie-nodes.ts';
import { copyWord, equal, reverse } from '../memory/words.ts';

/** result of {@link find} if a node isn't loaded and was requested */
const NOT_LOADED: usize = 1;
/** nibbles of a hashed key */
const NIBBLES: u32 = 64;
const SLOT_BYTES: usize = memory.data(32);
const SLOT_HASH: usize = memory.data(32);

/** @returns whether the account is loaded now; otherwise a node was requested */
export function readAccount(account: usize): bool {
  if (isRootMissing(STATE_TRIE, BLOCK_STATE_ROOT)) return false;
  const leaf = find(STATE_TRIE, addressHash(account));
  if (leaf == NOT_LOADED) return false;
  store<u32>(account, 1, LOADED);
  if (!leaf) {
    store<u32>(account, 1, ABSENT);
    store<u32>(account, 1, STORAGE_LOADED);
    return true;
  }
  startReadingValue(leaf);
  nextList();
  moveTo(item);
  store<u64>(account, nextNumber(), NONCE);
  nextWord(account + BALANCE);
  copyWord(account + STORAGE_ROOT, nextBytes(32));
  copyWord(account + CODE_HASH, nextBytes(32));
  // 1: there is code, but it isn't loaded.
  store<u32>(account, u32(!equal(account + CODE_HASH, EMPTY_CODE_HASH)), CODE);
  store<u32>(account, 1, KEPT);
  return true;
}

/** @param slot a slot of a loaded account. @returns as {@link readAccount} */
export function readSlot(slot: usize): bool {
  const account: usize = load<u32>(slot, OWNER), root = account + STORAGE_TRIE;
  noteLoaded(account);
  if (isRootMissing(root, account + STORAGE_ROOT)) return false;
  reverse(SLOT_BYTES, slot + SLOT_KEY);
  keccak(SLOT_HASH, SLOT_BYTES, 32);
  const leaf = find(root, SLOT_HASH);
  if (leaf == NOT_LOADED) return false;
  if (leaf) {
    startReadingValue(leaf);
    nextWord(slot + VALUE);
    copyWord(slot + ORIGINAL, slot + VALUE);
  }
  store<u32>(slot, 1, SLOT_LOADED);
  store<u16>(slot, u32(leaf == 0), SLOT_ABSENT);
  return true;
}

/** Finds the leaf of a key; 0 if there is none. */
function find(root: usize, key: usize): usize {
  let place = root;
  while (true) {
    const node: usize = load<u32>(place);
    if (!node) return 0;
    const length = isLeaf(node) ? NIBBLES : load<u32>(node, DEPTH);
    if (commonNibbles(key, node + KEY, length) < length) return 0;
    if (isLeaf(node)) return node;
    const i = nibble(key, length);
    if (!(load<u32>(node, CHILDREN) & (1 << i))) return 0;
    if (!child(node, i) && !loadChild(node, i)) return NOT_LOADED;
    place = node + CHILD + (i << 2);
  }
}

/**
 * For tries of differences: requests an account that isn't in the tables; from the other state, if the tries don't contain it. @returns
 * true
 */
export function missAccount(account: usize): bool {
  if (isRootMissing(STATE_TRIE, BLOCK_STATE_ROOT)) return true;
  const leaf = find(STATE_TRIE, addressHash(account));
  return leaf == NOT_LOADED || missPart(MISSING_ACCOUNT, account, leaf == 0);
}

/** @param slot a slot of a loaded account. @returns as {@link missAccount} */
export function missSlot(slot: usize): bool {
  const account: usize = load<u32>(slot, OWNER), root = account + STORAGE_TRIE;
  noteLoaded(account);
  if (isRootMissing(root, account + STORAGE_ROOT)) return true;
  reverse(SLOT_BYTES, slot + SLOT_KEY);
  keccak(SLOT_HASH, SLOT_BYTES, 32);
  let leaf = find(root, SLOT_HASH);
  // The key keccak256('') marks that all slots of the other state are hidden.
  if (!leaf) leaf = find(root, EMPTY_CODE_HASH);
  return leaf == NOT_LOADED || missPart(MISSING_SLOT, slot, leaf == 0);
}

function startReadingValue(leaf: usize): void {
  const at: usize = load<u32>(leaf, VALUE_AT);
  startReading(at, at + load<u32>(leaf, VALUE_LENGTH));
}
