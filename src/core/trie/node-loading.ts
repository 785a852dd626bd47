// Trie nodes of which only the hash is known. An operation that needs such a node requests it and leaves everything unchanged; the host
// fetches its RLP, and the operation is repeated.
import { MALFORMED } from '../memory/faults.ts';
import { MISSING, NONE } from '../memory/halts.ts';
import { keccak } from '../memory/keccak.ts';
import { EMPTY_TRIE_ROOT, HASHED, MISS_ENTRY } from '../memory/layout.ts';
import { missNode } from '../state/misses.ts';
import {
  isAtEnd, isValid, item, itemIsList, itemSize, moveTo, nextBytes, nextItem, nextList, nextString, position,
  startReading,
} from '../memory/rlp.ts';
import {
  CHILD, child, CHILD_HASH, CHILDREN, DEPTH, dropBranch, EMBEDDED, KEY, MAX_OWN_VALUE, newBranch, newOwnLeaf,
} from './trie-nodes.ts';
import { copyWord, equal, isZero, setWord } from '../memory/words.ts';

/** nibbles of a hashed key */
const NIBBLES: u32 = 64;

// The requested node: where the pointer to it goes, the nibbles before it, and for a branch below an extension the branch's hash.
let place: usize = 0;
let from: u32 = 0;
const PATH: usize = memory.data(32);
const BEHIND: usize = memory.data(32);

function setNibble(key: usize, i: u32, value: u32): void {
  const at = key + (i >> 1), byte: u32 = load<u8>(at);
  store<u8>(at, i & 1 ? (byte & 0xf0) | value : (byte & 0x0f) | (value << 4));
}

/** Whether the root node of a trie isn't loaded. If so, it is requested. */
export function isRootMissing(root: usize, hash: usize): bool {
  // A hash of 0 means that the root is unknown: differences.ts.
  if (load<u32>(root) || equal(hash, EMPTY_TRIE_ROOT) || isZero(hash)) return false;
  place = root;
  from = 0;
  setWord(PATH, 0);
  missNode(hash);
  return true;
}

/** Loads a child that has no pointer yet. @returns 0 if it was requested */
export function loadChild(branch: usize, i: u32): usize {
  const depth = load<u32>(branch, DEPTH), hash = branch + CHILD_HASH + (i << 5);
  place = branch + CHILD + (i << 2);
  from = depth + 1;
  copyWord(PATH, branch + KEY);
  setNibble(PATH, depth, i);
  if (load<u32>(branch, EMBEDDED) & (1 << i)) {
    // The first byte tells its length, which decode() of the branch has checked.
    if (decode(hash, <u32>load<u8>(hash) - 0xc0 + 1) == NONE) return child(branch, i);
  }
  missNode(hash);
  return 0;
}

/**
 * Inserts the requested node.
 * @returns NONE; MISSING: the node is an extension, and the branch below it is now requested; MALFORMED: the bytes aren't a valid node, or
 * have another hash
 */
export function addNode(bytes: usize, n: u32): i32 {
  keccak(HASHED, bytes, n);
  return equal(HASHED, load<u32>(MISS_ENTRY)) ? decode(bytes, n) : MALFORMED;
}

function decode(bytes: usize, n: u32): i32 {
  startReading(bytes, bytes + n);
  nextList();
  const start = item, end = item + itemSize;
  if (!isValid || !isAtEnd()) return MALFORMED;
  startReading(start, end);
  let items = 0;
  for (; !isAtEnd(); items++) nextItem();
  if (!isValid) return MALFORMED;
  moveTo(start);
  return items == 17 ? addBranch() : items == 2 ? addShort() : MALFORMED;
}

function addBranch(): i32 {
  if (from >= NIBBLES) return MALFORMED;
  const branch = newBranch(PATH, from);
  let children: u32 = 0, embedded: u32 = 0, isGood = true;
  for (let i: u32 = 0; i < 16; i++) {
    const start = position, hash = branch + CHILD_HASH + (i << 5);
    nextItem();
    const size = <u32>(position - start);
    if (itemIsList) {
      if (size < 32) memory.copy(hash, start, size);
      else isGood = false;
      embedded |= 1 << i;
    } else if (itemSize == 32) copyWord(hash, item);
    else if (itemSize == 0) continue;
    else isGood = false;
    children |= 1 << i;
  }
  // All keys have the same length, so none ends at a branch.
  nextBytes(0);
  if (!isGood || !isValid || popcnt(children) < 2) {
    dropBranch(branch);
    return MALFORMED;
  }
  store<u32>(branch, children, CHILDREN);
  store<u32>(branch, embedded, EMBEDDED);
  store<u32>(place, <u32>branch);
  return NONE;
}

/** Adds a leaf or an extension. */
function addShort(): i32 {
  nextString();
  if (itemSize == 0) return MALFORMED;
  const flags = <u32>load<u8>(item) >> 4, odd = flags & 1, to = from + ((itemSize - 1) << 1) + odd;
  if (flags > 3 || to > NIBBLES) return MALFORMED;
  if (odd) setNibble(PATH, from++, <u32>load<u8>(item) & 15);
  for (let at = item + 1; from < to; at++) {
    setNibble(PATH, from++, <u32>load<u8>(at) >> 4);
    setNibble(PATH, from++, <u32>load<u8>(at) & 15);
  }
  const start = position;
  nextItem();
  if (flags & 2) {
    if (itemIsList || itemSize == 0 || itemSize > MAX_OWN_VALUE || from != NIBBLES) return MALFORMED;
    store<u32>(place, <u32>newOwnLeaf(PATH, NIBBLES, item, itemSize));
    return NONE;
  }
  if (itemIsList) return decode(start, <u32>(position - start));
  if (itemSize != 32) return MALFORMED;
  copyWord(BEHIND, item);
  missNode(BEHIND);
  return MISSING;
}
