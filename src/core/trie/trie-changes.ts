// Sets and removes keys of tries. An operation that needs a node which isn't loaded requests it, and is repeated later.
import { loadChild } from './node-loading.ts';
import {
  CHANGED, CHILD, child, CHILD_HASH, CHILDREN, commonNibbles, DEPTH, dropBranch, dropLeaf, dropOwnValue, isLeaf, KEY, NEW,
  newBranch, newLeaf, nibble, NIBBLES, VALUE_AT, VALUE_KIND, VALUE_LENGTH,
} from './trie-nodes.ts';
import { setWord } from '../memory/words.ts';

/**
 * Sets the value of a key, or marks it as changed.
 * @param root address of the pointer to the root node, which must be loaded
 * @returns the leaf; 0 when a node isn't loaded: the caller must repeat the call when the node is loaded
 */
export function put(root: usize, key: usize, nibbles: u32, kind: u32, value: usize, size: u32): usize {
  let place = root;
  while (true) {
    const node: usize = load<u32>(place);
    if (!node) {
      const leaf = newLeaf(key, nibbles, kind, value, size);
      store<u32>(leaf, 1, NEW);
      store<u32>(place, <u32>leaf);
      return leaf;
    }
    const length = isLeaf(node) ? nibbles : load<u32>(node, DEPTH);
    const common = commonNibbles(key, node + KEY, length);
    if (common < length) {
      const leaf = newLeaf(key, nibbles, kind, value, size);
      store<u32>(leaf, 1, NEW);
      divideAt(place, node, common, leaf);
      return leaf;
    }
    if (isLeaf(node)) {
      dropOwnValue(node);
      store<u32>(node, kind, VALUE_KIND);
      store<u32>(node, <u32>value, VALUE_AT);
      store<u32>(node, size, VALUE_LENGTH);
      return node;
    }
    const i = nibble(key, length), bit: u32 = 1 << i;
    if (!(load<u32>(node, CHILDREN) & bit)) store<u32>(node, load<u32>(node, CHILDREN) | bit, CHILDREN);
    else if (!child(node, i) && !loadChild(node, i)) return 0;
    store<u32>(node, load<u32>(node, CHANGED) | bit, CHANGED);
    place = node + CHILD + (i << 2);
  }
}

/** Inserts a branch above a node, with the node and a leaf as its children. */
function divideAt(place: usize, node: usize, depth: u32, leaf: usize): void {
  const branch = newBranch(leaf + KEY, depth);
  const i = nibble(leaf + KEY, depth), j = nibble(node + KEY, depth);
  store<u32>(branch, (1 << i) | (1 << j), CHILDREN);
  store<u32>(branch, (1 << i) | (1 << j), CHANGED);
  store<u32>(branch + (i << 2), <u32>leaf, CHILD);
  store<u32>(branch + (j << 2), <u32>node, CHILD);
  store<u32>(place, <u32>branch);
}

/**
 * Removes a key, if the trie contains it.
 * @param root address of the pointer to the root node, which must be loaded
 * @returns false when a node isn't loaded: nothing has changed
 */
export function remove(root: usize, key: usize): bool {
  // First makes sure that all needed nodes are loaded, since the removal itself leaves marks on its way.
  let node: usize = load<u32>(root), parent: usize = 0;
  if (!node) return true;
  while (!isLeaf(node)) {
    const depth = load<u32>(node, DEPTH), i = nibble(key, depth);
    if (commonNibbles(key, node + KEY, depth) < depth || !(load<u32>(node, CHILDREN) & (1 << i))) return true;
    parent = node;
    node = child(node, i);
    if (!node) node = loadChild(parent, i);
    if (!node) return false;
  }
  const nibbles = load<u32>(node, NIBBLES);
  if (commonNibbles(key, node + KEY, nibbles) < nibbles) return true;
  if (parent) {
    // The only remaining child will replace its parent.
    const place = nibble(key, load<u32>(parent, DEPTH)), rest = load<u32>(parent, CHILDREN) & ~(1 << place);
    if (popcnt(rest) == 1 && !child(parent, ctz(rest)) && !loadChild(parent, ctz(rest))) return false;
  }
  removeLoaded(root, key);
  return true;
}

function removeLoaded(root: usize, key: usize): void {
  let place = root, parent: usize = 0, parentPlace: usize = 0;
  while (true) {
    const node: usize = load<u32>(place);
    if (isLeaf(node)) {
      dropLeaf(node);
      break;
    }
    const i = nibble(key, load<u32>(node, DEPTH));
    // A child that moves up to its parent's place must be hashed again, since its path becomes longer: the mark stays at the place.
    store<u32>(node, load<u32>(node, CHANGED) | (1 << i), CHANGED);
    parent = node;
    parentPlace = place;
    place = node + CHILD + (i << 2);
  }
  store<u32>(place, 0);
  if (!parent) return;
  const nibbleOfNode = nibble(key, load<u32>(parent, DEPTH)), bit: u32 = 1 << nibbleOfNode;
  const rest = load<u32>(parent, CHILDREN) & ~bit;
  store<u32>(parent, rest, CHILDREN);
  store<u32>(parent, load<u32>(parent, CHANGED) & ~bit, CHANGED);
  // The hash is cleared, so that a later child there isn't mistaken for an unchanged one.
  setWord(parent + CHILD_HASH + (ctz(bit) << 5), 0);
  if (popcnt(rest) > 1) return;
  store<u32>(parentPlace, <u32>child(parent, ctz(rest)));
  dropBranch(parent);
}
