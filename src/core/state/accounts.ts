// The table of accounts. An entry has 256 bytes and never moves.
import {
  ABSENT, ADDRESS, ADDRESS_HASH, BALANCE, CODE, CODE_HASH, DIRTY, HAS_HASH, KEPT, LOADED, NONCE, PRECOMPILE, STORAGE_ROOT,
  STORAGE_TRIE,
} from './entries.ts';
import { createIndex, firstCell, insert, nextCell } from '../memory/hash-index.ts';
import { base, clearPool, createBuffer, extend, length, setLength, take } from '../memory/heap.ts';
import { keccak } from '../memory/keccak.ts';
import { ADDRESS_BYTES, EMPTY_CODE_HASH, EMPTY_TRIE_ROOT, RULES_LAZY } from '../memory/layout.ts';
import { copyWord, isZero, reverse } from '../memory/words.ts';

export {
  ABSENT, ACCESSED, ADDRESS, ADDRESS_HASH, BALANCE, CODE, CODE_HASH, CODE_UNSTORED, CREATED, DIRTY, HAS_HASH, KEPT,
  LOADED, NONCE, PRECOMPILE, STORAGE_DIRTY, STORAGE_LOADED, STORAGE_ROOT, STORAGE_TRIE, STORAGE_UNSTORED, WARM,
} from './entries.ts';

export const ACCOUNT_SIZE: u32 = 256;

let index: usize = 0;
const pool: usize = memory.data(12);
/** pointers to the entries that changed since the last fold into the tries */
export let dirtyAccounts: usize = 0;
/** number of the current transaction, for marks that are valid only within a transaction */
export let epoch: u32 = 1;

export function setupAccounts(): void {
  index = createIndex(12);
  clearPool(pool);
  dirtyAccounts = createBuffer(12);
}

export function nextEpoch(): void {
  epoch++;
}

/** Returns the entry of an address, creating it if there is none. The address is given as a word whose upper 12 bytes are ignored. */
export function accountAt(word: usize): usize {
  const a = load<u64>(word), b = load<u64>(word, 8), c = load<u32>(word, 16);
  let mixed = (a * 0x9e3779b97f4a7c15) ^ (b * 0xc2b2ae3d27d4eb4f) ^ (<u64>c * 0x165667b19e3779f9);
  mixed ^= mixed >> 32;
  const hash = <u32>mixed;
  for (let cell = firstCell(index, hash); ; cell = nextCell(index, cell)) {
    const entry: usize = load<u32>(cell, 4);
    if (!entry) break;
    if (load<u32>(cell) != hash) continue;
    if (load<u64>(entry, ADDRESS) == a && load<u64>(entry, ADDRESS + 8) == b && load<u32>(entry, ADDRESS + 16) == c)
      return entry;
  }
  const entry = take(pool, ACCOUNT_SIZE);
  store<u64>(entry, a, ADDRESS);
  store<u64>(entry, b, ADDRESS + 8);
  store<u32>(entry, c, ADDRESS + 16);
  copyWord(entry + CODE_HASH, EMPTY_CODE_HASH);
  copyWord(entry + STORAGE_ROOT, EMPTY_TRIE_ROOT);
  const known = u32(load<u32>(RULES_LAZY) == 0);
  store<u32>(entry, known, LOADED);
  store<u32>(entry, known, ABSENT);
  insert(index, hash, entry);
  return entry;
}

/** Returns the entry of an address given as 20 bytes. */
export function accountAtBytes(address: usize): usize {
  memory.fill(ADDRESS_BYTES, 0, 12);
  memory.copy(ADDRESS_BYTES + 12, address, 20);
  reverse(ADDRESS_BYTES, ADDRESS_BYTES);
  return accountAt(ADDRESS_BYTES);
}

/** Writes the 20 bytes of an account's address. */
export function writeAddress(to: usize, account: usize): void {
  reverse(ADDRESS_BYTES, account + ADDRESS);
  memory.copy(to, ADDRESS_BYTES + 12, 20);
}

export function addressHash(account: usize): usize {
  if (!load<u32>(account, HAS_HASH)) {
    reverse(ADDRESS_BYTES, account + ADDRESS);
    keccak(account + ADDRESS_HASH, ADDRESS_BYTES + 12, 20);
    store<u32>(account, 1, HAS_HASH);
  }
  return account + ADDRESS_HASH;
}

/** EIP-161: an account without nonce, balance and code equals a non-existent one. */
export function isEmpty(account: usize): bool {
  return (load<u64>(account, NONCE) | <u64>load<u32>(account, CODE)) == 0 && isZero(account + BALANCE);
}

/** Whether the state contains the account: an empty one only before EIP-161, or until it is touched. */
export function exists(account: usize): bool {
  return !isEmpty(account) || load<u32>(account, KEPT) != 0;
}

/** The number of the precompile at the account's address, or 0. */
/* @inline */ export function precompileAt(account: usize): u32 {
  return load<u16>(account, PRECOMPILE);
}

/** Whether the account had storage at the last fold into the tries. */
export function hasStorage(account: usize): bool {
  return load<u32>(account, STORAGE_TRIE) != 0 || !sameRoot(account + STORAGE_ROOT, EMPTY_TRIE_ROOT);
}

function sameRoot(a: usize, b: usize): bool {
  return load<u64>(a) == load<u64>(b) && load<u64>(a, 8) == load<u64>(b, 8);
}

export function markDirty(account: usize): void {
  if (load<u32>(account, DIRTY)) return;
  store<u32>(account, 1, DIRTY);
  store<u32>(extend(dirtyAccounts, 4), <u32>account);
}

export function dirtyAccountCount(): u32 {
  return length(dirtyAccounts) >> 2;
}

export function dirtyAccount(i: u32): usize {
  return load<u32>(base(dirtyAccounts) + (i << 2));
}

export function clearDirtyAccounts(): void {
  setLength(dirtyAccounts, 0);
}
