// Hashes the changed nodes of tries. Nodes of the same height don't depend on each other: those with the same number of input blocks are
// hashed in pairs, even across tries.
import { BALANCE, CODE_HASH, NONCE } from '../state/accounts.ts';
import { encodeStorageOnly, holdsDifferences, ownStorageRoot, writeWritten } from './differences.ts';
import { base, createBuffer, extend, length, room, setLength } from '../memory/heap.ts';
import { keccak, keccakPadded, keccakPaddedPair, pad } from '../memory/keccak.ts';
import {
  EMPTY_TRIE_ROOT, JOB_HEADS, NODE_BUFFER_SIZE, NODE_BUFFERS, VALUE_BUFFER, WAITING,
} from '../memory/layout.ts';
import {
  beginList, endList, startWriting, writeHash, writeInteger, writeString, writeWord, written,
} from '../memory/rlp.ts';
import { VALUE } from '../state/slots.ts';
import {
  ACCOUNT_VALUE, BYTES_VALUE, CHANGED, child, CHILD_HASH, CHILDREN, DEPTH, EMBEDDED, isLeaf, KEY, nibble,
  NIBBLES, SLOT_VALUE, STORAGE_VALUE, UNSTORED, VALUE_AT, VALUE_KIND, VALUE_LENGTH,
} from './trie-nodes.ts';
import { copyWord, equal } from '../memory/words.ts';

/** maximum number of Keccak blocks for a node */
const MAX_BLOCKS: u32 = 5;
/** number of possible heights in a trie: one for each nibble of a key, and the leaves */
const MAX_HEIGHT: usize = 66;
const NO_JOB: u32 = 0xffffffff;

// A job: node; depth at which its path begins; its parent, or 0; its index there, or the address for a root's hash; next job; two fields of
// a waiting job; for a root, the address at which 1 is stored if the hash changes, or 0.
const JOB_SIZE: u32 = 32;
const FROM: usize = 4;
const PARENT: usize = 8;
const TARGET: usize = 12;
const NEXT: usize = 16;
/** of a job that waits for a partner: address of its encoding, and index of its buffer */
const ENCODED: usize = 20;
const HELD: usize = 24;
const FLAG: usize = 28;

/** hashes before they are written to their places */
const FRESH_HASH: usize = memory.data(32);
const FRESH_HASH_2: usize = memory.data(32);

let jobs: usize = 0;
/** encodings of leaves that don't fit in a node buffer */
let large: usize = 0;

export function setupTrieHash(): void {
  jobs = createBuffer(14);
  large = createBuffer(12);
  for (let h: usize = 0; h < MAX_HEIGHT; h++) store<u32>(JOB_HEADS + (h << 2), NO_JOB);
}

/**
 * Requests the hash of a trie, whose pointer to the root node is at `root`. {@link hashAll} computes it.
 * @param flag address at which 1 is stored if the hash changes, or 0
 */
export function requestRoot(root: usize, to: usize, flag: usize): void {
  const node: usize = load<u32>(root);
  if (node) collect(node, 0, 0, <u32>to, <u32>flag);
  else copyWord(to, EMPTY_TRIE_ROOT);
}

/** Makes jobs for a node and all changed nodes below it. @returns its height */
function collect(node: usize, from: u32, parent: usize, target: u32, flag: u32): usize {
  let height: usize = 0;
  if (!isLeaf(node)) {
    height = 1;
    const depth = load<u32>(node, DEPTH);
    let rest = load<u32>(node, CHANGED) & load<u32>(node, CHILDREN);
    store<u32>(node, 0, CHANGED);
    for (; rest; rest &= rest - 1) {
      const i = ctz(rest), below = collect(child(node, i), depth + 1, node, i, 0);
      if (below >= height) height = below + 1;
    }
  }
  const job = length(jobs), at = extend(jobs, JOB_SIZE), head = JOB_HEADS + (height << 2);
  store<u32>(at, <u32>node);
  store<u32>(at, from, FROM);
  store<u32>(at, <u32>parent, PARENT);
  store<u32>(at, target, TARGET);
  store<u32>(at, flag, FLAG);
  store<u32>(at, load<u32>(head), NEXT);
  store<u32>(head, job);
  return height;
}

/** Hashes all collected nodes, from the leaves up. */
export function hashAll(): void {
  for (let height: usize = 0; height < MAX_HEIGHT; height++) {
    const head = JOB_HEADS + (height << 2), first = load<u32>(head);
    if (first == NO_JOB) continue;
    store<u32>(head, NO_JOB);
    hashHeight(first);
  }
  setLength(jobs, 0);
}

function hashHeight(first: u32): void {
  for (let blocks: u32 = 0; blocks <= MAX_BLOCKS; blocks++) store<u32>(WAITING + (blocks << 2), 0);
  // Bitmap of the free node buffers: one for each input length that may wait, and one to encode in.
  let free: u32 = (1 << (MAX_BLOCKS + 2)) - 1;
  for (let job = first; job != NO_JOB; ) {
    const at = base(jobs) + job, i = <usize>ctz(free), buffer = NODE_BUFFERS + i * NODE_BUFFER_SIZE;
    job = load<u32>(at, NEXT);
    const node: usize = load<u32>(at);
    if (isLarge(node)) {
      hashLarge(at, node);
      continue;
    }
    const start = encode(node, load<u32>(at, FROM), buffer), size = <u32>(written - start);
    if (embed(at, start, size)) continue;
    const blocks = pad(start, size), place = WAITING + (blocks << 2), partner: usize = load<u32>(place);
    if (!partner) {
      store<u32>(place, <u32>at);
      store<u32>(at, <u32>start, ENCODED);
      store<u32>(at, <u32>i, HELD);
      free &= ~(1 << <u32>i);
      continue;
    }
    store<u32>(place, 0);
    keccakPaddedPair(FRESH_HASH, load<u32>(partner, ENCODED), FRESH_HASH_2, start, blocks);
    free |= 1 << load<u32>(partner, HELD);
    settle(partner, FRESH_HASH);
    settle(at, FRESH_HASH_2);
  }
  for (let blocks: u32 = 1; blocks <= MAX_BLOCKS; blocks++) {
    const at: usize = load<u32>(WAITING + (blocks << 2));
    if (!at) continue;
    keccakPadded(FRESH_HASH, load<u32>(at, ENCODED), blocks);
    settle(at, FRESH_HASH);
  }
}

function hashPlace(job: usize): usize {
  const parent: usize = load<u32>(job, PARENT), target = load<u32>(job, TARGET);
  return parent ? parent + CHILD_HASH + (target << 5) : target;
}

/** A node of less than 32 bytes is embedded in its parent instead of its hash; a root never is. @returns true if the node is embedded */
function embed(job: usize, start: usize, size: u32): bool {
  const parent: usize = load<u32>(job, PARENT);
  if (!parent) return false;
  const bit: u32 = 1 << load<u32>(job, TARGET), embedded = load<u32>(parent, EMBEDDED);
  if (size >= 32) {
    store<u32>(parent, embedded & ~bit, EMBEDDED);
    return false;
  }
  store<u32>(parent, embedded | bit, EMBEDDED);
  store<u32>(parent, load<u32>(parent, UNSTORED) | bit, UNSTORED);
  memory.copy(hashPlace(job), start, size);
  return true;
}

/** Stores a node's hash, or the hash of the extension above it. */
function settle(job: usize, hash: usize): void {
  const node: usize = load<u32>(job), from = load<u32>(job, FROM), to = hashPlace(job);
  if (hasExtension(node, from)) {
    const start = encodeExtension(node, from, hash, VALUE_BUFFER);
    keccak(hash, start, <u32>(written - start));
  }
  if (equal(to, hash)) return;
  copyWord(to, hash);
  const parent: usize = load<u32>(job, PARENT), flag: usize = load<u32>(job, FLAG);
  if (parent) store<u32>(parent, load<u32>(parent, UNSTORED) | (1 << load<u32>(job, TARGET)), UNSTORED);
  else if (flag) store<u32>(flag, 1);
}

/** Whether there is an extension between a branch and its parent. */
export function hasExtension(node: usize, from: u32): bool {
  return !isLeaf(node) && load<u32>(node, DEPTH) != from;
}

/** Encodes the extension above a branch. @returns its address; it ends at `written` */
export function encodeExtension(branch: usize, from: u32, hash: usize, buffer: usize): usize {
  beginList(buffer);
  writePath(branch + KEY, from, load<u32>(branch, DEPTH), 0);
  writeHash(hash);
  return endList(buffer);
}

/** Encodes a node whose path begins at a depth. @returns its address; it ends at `written` */
export function encode(node: usize, from: u32, buffer: usize): usize {
  if (isLeaf(node)) return encodeLeaf(node, from, buffer);
  const children = load<u32>(node, CHILDREN), embedded = load<u32>(node, EMBEDDED);
  beginList(buffer);
  for (let i: u32 = 0; i < 16; i++) {
    const bit: u32 = 1 << i, hash = node + CHILD_HASH + (i << 5);
    if (!(children & bit)) writeInteger(0);
    else if (!(embedded & bit)) writeHash(hash);
    else {
      // The first byte of a list of less than 56 bytes tells its length.
      const size = <u32>load<u8>(hash) - 0xc0 + 1;
      memory.copy(written, hash, size);
      startWriting(written + size);
    }
  }
  writeInteger(0);
  return endList(buffer);
}

function encodeLeaf(leaf: usize, from: u32, buffer: usize): usize {
  const kind = load<u32>(leaf, VALUE_KIND), entry: usize = load<u32>(leaf, VALUE_AT);
  let value = entry, size = load<u32>(leaf, VALUE_LENGTH);
  if (kind == ACCOUNT_VALUE) {
    beginList(VALUE_BUFFER);
    writeInteger(load<u64>(entry, NONCE));
    writeWord(entry + BALANCE);
    writeHash(ownStorageRoot(entry));
    writeHash(entry + CODE_HASH);
    value = endList(VALUE_BUFFER);
    size = <u32>(written - value);
  } else if (kind == SLOT_VALUE) {
    value = VALUE_BUFFER;
    startWriting(value);
    if (holdsDifferences) writeWritten(entry + VALUE);
    else writeWord(entry + VALUE);
    size = <u32>(written - value);
  } else if (kind == STORAGE_VALUE) {
    value = encodeStorageOnly(entry, VALUE_BUFFER);
    size = <u32>(written - value);
  }
  beginList(buffer);
  writePath(leaf + KEY, from, load<u32>(leaf, NIBBLES), 1);
  writeString(value, size);
  return endList(buffer);
}

function isLarge(node: usize): bool {
  return isLeaf(node) && load<u32>(node, VALUE_KIND) == BYTES_VALUE && load<u32>(node, VALUE_LENGTH) > 512;
}

/** Hashes a long transaction or receipt on its own. */
function hashLarge(job: usize, leaf: usize): void {
  const start = encodeLeaf(leaf, load<u32>(job, FROM), room(large, load<u32>(leaf, VALUE_LENGTH) + 128));
  embed(job, start, <u32>(written - start));
  keccak(FRESH_HASH, start, <u32>(written - start));
  settle(job, FRESH_HASH);
}

/** Writes nibbles of a key in hex-prefix encoding (yellow paper, appendix C), as a string. */
function writePath(key: usize, from: u32, to: u32, leaf: u32): void {
  const n = to - from, size = (n >> 1) + 1;
  if (size > 1) store<u8>(written, 0x80 + size);
  let at = size > 1 ? written + 1 : written, i = from;
  startWriting(at + size);
  const odd = n & 1;
  store<u8>(at++, (((leaf << 1) | odd) << 4) | (odd ? nibble(key, i++) : 0));
  if (i & 1) {
    for (; i < to; i += 2) store<u8>(at++, (nibble(key, i) << 4) | nibble(key, i + 1));
  } else memory.copy(at, key + (i >> 1), (to - i) >> 1);
}
