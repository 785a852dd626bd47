// Nodes of Merkle Patricia tries (yellow paper, appendix D). A leaf points at the entry of the table that it
// stands for, so a value is never copied. A branch holds the hashes of its children, and which of them are
// out of date. There are no extension nodes: a branch knows at which nibble it divides, and the extension
// before it follows from the depth of its parent.
import { giveBack, take } from './heap';
import { copyWord } from './words';

// Offsets in both kinds of node.
/** 1 = leaf, 2 = branch */
export const KIND: usize = 0;
export const LEAF: u32 = 1;
export const BRANCH: u32 = 2;
/** the key of a leaf; of a branch, that of any leaf below it */
export const KEY: usize = 32;

// Offsets in a leaf.
/** what the value is: see below */
export const VALUE_KIND: usize = 4;
export const ACCOUNT_VALUE: u32 = 1;
export const SLOT_VALUE: u32 = 2;
export const BYTES_VALUE: u32 = 3;
/** pointer to the entry or the bytes; length of the bytes */
export const VALUE_AT: usize = 8;
export const VALUE_LENGTH: usize = 12;
/** nibbles of the key */
export const NIBBLES: usize = 16;
const LEAF_SIZE: u32 = 64;

// Offsets in a branch.
/** number of nibbles before the one at which it divides */
export const DEPTH: usize = 4;
/**
 * bits of the children that there are, that changed since they were hashed, and whose encoding stands in
 * place of a hash
 */
export const CHILDREN: usize = 8;
export const CHANGED: usize = 12;
export const EMBEDDED: usize = 16;
/** 16 pointers */
export const CHILD: usize = 64;
/** 16 hashes, or encodings of less than 32 bytes */
export const CHILD_HASH: usize = 128;
const BRANCH_SIZE: u32 = 640;

const leaves: usize = memory.data(12);
const branches: usize = memory.data(12);

// @ts-ignore: decorator
@inline export function nibble(key: usize, i: u32): u32 {
  const byte: u32 = load<u8>(key + (i >> 1));
  return i & 1 ? byte & 15 : byte >> 4;
}

/** The number of nibbles, at most n, that two keys have in common. */
function commonNibbles(a: usize, b: usize, n: u32): u32 {
  let i: u32 = 0;
  while (i + 1 < n && load<u8>(a + (i >> 1)) == load<u8>(b + (i >> 1))) i += 2;
  return i < n && nibble(a, i) == nibble(b, i) ? i + 1 : i;
}

// @ts-ignore: decorator
@inline export function isLeaf(node: usize): bool {
  return load<u32>(node, KIND) == LEAF;
}

// @ts-ignore: decorator
@inline export function child(branch: usize, i: u32): usize {
  return load<u32>(branch + (i << 2), CHILD);
}

/**
 * Sets the value of a key, or marks it changed.
 * @param root where the pointer to the root node is
 * @returns the leaf
 */
export function put(root: usize, key: usize, nibbles: u32, kind: u32, value: usize, size: u32): usize {
  let place = root;
  while (true) {
    const node: usize = load<u32>(place);
    if (!node) {
      const leaf = newLeaf(key, nibbles, kind, value, size);
      store<u32>(place, <u32>leaf);
      return leaf;
    }
    const length = isLeaf(node) ? nibbles : load<u32>(node, DEPTH);
    const common = commonNibbles(key, node + KEY, length);
    if (common < length) return divideAt(place, node, common, newLeaf(key, nibbles, kind, value, size));
    if (isLeaf(node)) {
      store<u32>(node, <u32>value, VALUE_AT);
      store<u32>(node, size, VALUE_LENGTH);
      return node;
    }
    const i = nibble(key, length);
    store<u32>(node, load<u32>(node, CHILDREN) | (1 << i), CHILDREN);
    store<u32>(node, load<u32>(node, CHANGED) | (1 << i), CHANGED);
    place = node + CHILD + (i << 2);
  }
}

/** Puts a branch before a node, with the node and a leaf below it. @returns the leaf */
function divideAt(place: usize, node: usize, depth: u32, leaf: usize): usize {
  const branch = take(branches, BRANCH_SIZE);
  const i = nibble(leaf + KEY, depth), j = nibble(node + KEY, depth);
  store<u32>(branch, BRANCH);
  store<u32>(branch, depth, DEPTH);
  store<u32>(branch, (1 << i) | (1 << j), CHILDREN);
  store<u32>(branch, (1 << i) | (1 << j), CHANGED);
  copyWord(branch + KEY, leaf + KEY);
  store<u32>(branch + (i << 2), <u32>leaf, CHILD);
  store<u32>(branch + (j << 2), <u32>node, CHILD);
  store<u32>(place, <u32>branch);
  return leaf;
}

function newLeaf(key: usize, nibbles: u32, kind: u32, value: usize, size: u32): usize {
  const leaf = take(leaves, LEAF_SIZE);
  store<u32>(leaf, LEAF);
  store<u32>(leaf, kind, VALUE_KIND);
  store<u32>(leaf, <u32>value, VALUE_AT);
  store<u32>(leaf, size, VALUE_LENGTH);
  store<u32>(leaf, nibbles, NIBBLES);
  copyWord(leaf + KEY, key);
  return leaf;
}

/** Removes a key that is in the trie. */
export function remove(root: usize, key: usize): void {
  let place = root, parent: usize = 0, parentPlace: usize = 0;
  while (true) {
    const node: usize = load<u32>(place);
    if (isLeaf(node)) {
      giveBack(leaves, node);
      break;
    }
    const i = nibble(key, load<u32>(node, DEPTH));
    // A child that moves up to a parent's place is hashed anew, since its path becomes longer: the mark stays
    // with the place.
    store<u32>(node, load<u32>(node, CHANGED) | (1 << i), CHANGED);
    parent = node;
    parentPlace = place;
    place = node + CHILD + (i << 2);
  }
  store<u32>(place, 0);
  if (!parent) return;
  const bit: u32 = 1 << nibble(key, load<u32>(parent, DEPTH)), rest = load<u32>(parent, CHILDREN) & ~bit;
  store<u32>(parent, rest, CHILDREN);
  store<u32>(parent, load<u32>(parent, CHANGED) & ~bit, CHANGED);
  if (popcnt(rest) > 1) return;
  store<u32>(parentPlace, <u32>child(parent, ctz(rest)));
  giveBack(branches, parent);
}

/** Gives back all nodes of a trie. */
export function release(root: usize): void {
  const node: usize = load<u32>(root);
  store<u32>(root, 0);
  if (node) releaseNode(node);
}

function releaseNode(node: usize): void {
  if (isLeaf(node)) {
    giveBack(leaves, node);
    return;
  }
  for (let rest = load<u32>(node, CHILDREN); rest; rest &= rest - 1) releaseNode(child(node, ctz(rest)));
  giveBack(branches, node);
}
