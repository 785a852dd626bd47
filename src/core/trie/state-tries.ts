// The tries of the state: which of them are loaded, and which have changed since the host has last taken the unstored data.
import { STORAGE_DIRTY, STORAGE_TRIE, STORAGE_UNSTORED, TRIE_LISTS } from '../state/entries.ts';
import { base, createBuffer, extend, length, setLength } from '../memory/heap.ts';
import { release } from './trie-nodes.ts';

/** pointer to the root node of the state trie; 0 = the trie is empty or not loaded: see BLOCK_STATE_ROOT */
export const STATE_TRIE: usize = memory.data(4);
/** 1 = its root has changed since the host has last taken the unstored data */
export const STATE_UNSTORED: usize = memory.data(4);

/** whether the tries contain the state of the tables, so that state can be read from them */
export let tracksState: bool = false;

// Bits of TRIE_LISTS.
const IS_LOADED: u32 = 1;
const IS_HASHED: u32 = 2;

/** pointers to the accounts whose storage tries are or may be loaded, and to those whose storage tries were hashed */
let loaded: usize = 0;
let hashed: usize = 0;

export function setupStateTries(): void {
  tracksState = false;
  store<u32>(STATE_TRIE, 0);
  store<u32>(STATE_UNSTORED, 0);
  loaded = createBuffer(12);
  hashed = createBuffer(12);
}

function note(account: usize, bit: u32, list: usize): void {
  const lists = load<u32>(account, TRIE_LISTS);
  if (lists & bit) return;
  store<u32>(account, lists | bit, TRIE_LISTS);
  store<u32>(extend(list, 4), <u32>account);
}

export function noteLoaded(account: usize): void {
  note(account, IS_LOADED, loaded);
}

export function noteHashed(account: usize): void {
  note(account, IS_HASHED, hashed);
}

export function hashedCount(): u32 {
  return length(hashed) >> 2;
}

export function hashedAccount(i: u32): usize {
  return load<u32>(base(hashed) + (i << 2));
}

/** Called when the host has taken the unstored data. */
export function clearHashed(): void {
  for (let i: u32 = 0; i < hashedCount(); i++) {
    const account = hashedAccount(i);
    store<u32>(account, 0, STORAGE_UNSTORED);
    store<u32>(account, load<u32>(account, TRIE_LISTS) & ~IS_HASHED, TRIE_LISTS);
  }
  setLength(hashed, 0);
  store<u32>(STATE_UNSTORED, 0);
}

/** Declares that the tries contain the state of the tables from now on. */
export function trackState(): void {
  tracksState = true;
}

/** Releases all nodes. */
export function releaseAll(): void {
  for (let at = base(loaded), end = at + length(loaded); at < end; at += 4) {
    const account: usize = load<u32>(at);
    release(account + STORAGE_TRIE);
    store<u32>(account, 0, STORAGE_DIRTY);
    store<u32>(account, load<u32>(account, TRIE_LISTS) & ~IS_LOADED, TRIE_LISTS);
  }
  setLength(loaded, 0);
  release(STATE_TRIE);
}
