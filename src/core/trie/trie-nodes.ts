// Nodes of Merkle Patricia tries (yellow paper, appendix D). A leaf points to the table entry that it represents, so values aren't copied.
// A branch contains the hashes of its children, and marks those that are out of date. There are no extension nodes: a branch knows the
// nibble at which it divides, and the extension above it follows from the depth of its parent. A child of which only the hash is known has
// no pointer: node-loading.ts.
import { clearPool, giveBack, take } from '../memory/heap.ts';
import { LEAF as LEAF_OF_SLOT } from '../state/slots.ts';
import { copyWord } from '../memory/words.ts';

// Offsets in both kinds of node.
/** 1 = leaf, 2 = branch */
export const KIND: usize = 0;
export const LEAF: u32 = 1;
export const BRANCH: u32 = 2;
/** the key of a leaf; for a branch, the key of any leaf below it */
export const KEY: usize = 32;

// Offsets in a leaf.
/** the kind of the value: see below */
export const VALUE_KIND: usize = 4;
export const ACCOUNT_VALUE: u32 = 1;
export const SLOT_VALUE: u32 = 2;
export const BYTES_VALUE: u32 = 3;
/** bytes owned by the leaf: it was loaded, and its value hasn't been replaced by a table entry */
export const OWN_VALUE: u32 = 4;
/** an account of which only storage was written: differences.ts */
export const STORAGE_VALUE: u32 = 5;
/** pointer to the entry or the bytes; length of the bytes */
export const VALUE_AT: usize = 8;
export const VALUE_LENGTH: usize = 12;
/** number of nibbles in the key */
export const NIBBLES: usize = 16;
/** 1 = its key was added to the trie since the host has last taken the unstored data */
export const NEW: usize = 20;
const LEAF_SIZE: u32 = 64;
/** Maximum size in bytes: an account's value has at most 110 bytes. */
export const MAX_OWN_VALUE: u32 = 128;

// Offsets in a branch.
/** number of nibbles before the nibble at which it divides */
export const DEPTH: usize = 4;
/** bitmaps of the children: existing, changed since they were hashed, embedded in place of a hash */
export const CHILDREN: usize = 8;
export const CHANGED: usize = 12;
export const EMBEDDED: usize = 16;
/** bitmap of the children whose hash has changed since the host has last taken the unstored data */
export const UNSTORED: usize = 20;
/** 16 pointers */
export const CHILD: usize = 64;
/** 16 hashes, or encodings of less than 32 bytes */
export const CHILD_HASH: usize = 128;
const BRANCH_SIZE: u32 = 640;

const leaves: usize = memory.data(12);
const branches: usize = memory.data(12);
const ownValues: usize = memory.data(12);
let bytes: u32 = 0;

/** Memory that the nodes of all tries take, in bytes. */
export function nodeBytes(): u32 {
  return bytes;
}

export function setupTrieNodes(): void {
  clearPool(leaves);
  clearPool(branches);
  clearPool(ownValues);
  bytes = 0;
}

/* @inline */ export function nibble(key: usize, i: u32): u32 {
  const byte: u32 = load<u8>(key + (i >> 1));
  return i & 1 ? byte & 15 : byte >> 4;
}

/** The number of leading nibbles that two keys have in common, at most n. */
export function commonNibbles(a: usize, b: usize, n: u32): u32 {
  let i: u32 = 0;
  while (i + 1 < n && load<u8>(a + (i >> 1)) == load<u8>(b + (i >> 1))) i += 2;
  return i < n && nibble(a, i) == nibble(b, i) ? i + 1 : i;
}

/* @inline */ export function isLeaf(node: usize): bool {
  return load<u32>(node, KIND) == LEAF;
}

/* @inline */ export function child(branch: usize, i: u32): usize {
  return load<u32>(branch + (i << 2), CHILD);
}

export function newBranch(key: usize, depth: u32): usize {
  const branch = take(branches, BRANCH_SIZE);
  bytes += BRANCH_SIZE;
  store<u32>(branch, BRANCH);
  store<u32>(branch, depth, DEPTH);
  copyWord(branch + KEY, key);
  return branch;
}

export function newLeaf(key: usize, nibbles: u32, kind: u32, value: usize, size: u32): usize {
  const leaf = take(leaves, LEAF_SIZE);
  bytes += LEAF_SIZE;
  store<u32>(leaf, LEAF);
  store<u32>(leaf, kind, VALUE_KIND);
  store<u32>(leaf, <u32>value, VALUE_AT);
  store<u32>(leaf, size, VALUE_LENGTH);
  store<u32>(leaf, nibbles, NIBBLES);
  copyWord(leaf + KEY, key);
  return leaf;
}

/** Creates a leaf with a copy of a value of at most {@link MAX_OWN_VALUE} bytes. */
export function newOwnLeaf(key: usize, nibbles: u32, value: usize, size: u32): usize {
  const copy = take(ownValues, MAX_OWN_VALUE);
  bytes += MAX_OWN_VALUE;
  memory.copy(copy, value, size);
  return newLeaf(key, nibbles, OWN_VALUE, copy, size);
}

export function dropOwnValue(leaf: usize): void {
  if (load<u32>(leaf, VALUE_KIND) != OWN_VALUE) return;
  giveBack(ownValues, load<u32>(leaf, VALUE_AT));
  bytes -= MAX_OWN_VALUE;
}

export function dropLeaf(leaf: usize): void {
  dropOwnValue(leaf);
  giveBack(leaves, leaf);
  bytes -= LEAF_SIZE;
}

export function dropBranch(branch: usize): void {
  giveBack(branches, branch);
  bytes -= BRANCH_SIZE;
}

/** Releases all nodes of a trie. */
export function release(root: usize): void {
  const node: usize = load<u32>(root);
  store<u32>(root, 0);
  if (node) releaseNode(node);
}

function releaseNode(node: usize): void {
  if (isLeaf(node)) {
    if (load<u32>(node, VALUE_KIND) == SLOT_VALUE) store<u32>(load<u32>(node, VALUE_AT), 0, LEAF_OF_SLOT);
    dropLeaf(node);
    return;
  }
  for (let rest = load<u32>(node, CHILDREN); rest; rest &= rest - 1) {
    const below = child(node, ctz(rest));
    if (below) releaseNode(below);
  }
  dropBranch(node);
}
