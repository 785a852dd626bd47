// The data that the host has to store before it can open the state by its root: nodes, codes, and the preimages of keys added to the tries.
// They are in one buffer, in the store's format: see entries.ts.
import {
  CODE, CODE_HASH, CODE_UNSTORED, dirtyAccountCount, STORAGE_ROOT, STORAGE_TRIE, STORAGE_UNSTORED, writeAddress,
} from '../state/accounts.ts';
import { CODE_BYTES, CODE_LENGTH, UNSTORED_CODE, UNSTORED_NODE, UNSTORED_PREIMAGE } from '../state/entries.ts';
import { base, createBuffer, length, setLength } from '../memory/heap.ts';
import { keccak } from '../memory/keccak.ts';
import { BLOCK_STATE_ROOT, NODE_BUFFERS } from '../memory/layout.ts';
import { written } from '../memory/rlp.ts';
import { writeRecord } from '../memory/store-records.ts';
import { dirtySlotCount, KEY as KEY_OF_SLOT } from '../state/slots.ts';
import { clearHashed, hashedAccount, hashedCount, STATE_TRIE, STATE_UNSTORED } from './state-tries.ts';
import { encode, encodeExtension, hasExtension } from './trie-hash.ts';
import {
  ACCOUNT_VALUE, child, CHILD_HASH, CHILDREN, DEPTH, EMBEDDED, isLeaf, KEY, NEW, SLOT_VALUE, STORAGE_VALUE,
  UNSTORED,  VALUE_AT, VALUE_KIND,
} from './trie-nodes.ts';
import { reverse } from '../memory/words.ts';

let records: usize = 0;
let count: u32 = 0;
const HASH: usize = memory.data(32);

export function setupUnstored(): void {
  records = createBuffer(16);
}

export function unstoredBase(): usize {
  return base(records);
}

export function unstoredLength(): u32 {
  return length(records);
}

/** The number of records. */
export function unstoredCount(): u32 {
  return count;
}

/**
 * Lists the data added since the last list. @returns false when there are writes that haven't been folded into the tries yet: nodes are
 * encoded with the current values of the tables
 */
export function listUnstored(): bool {
  setLength(records, 0);
  count = 0;
  if (dirtyAccountCount() | dirtySlotCount()) return false;
  if (load<u32>(STATE_UNSTORED)) listRoot(STATE_TRIE, BLOCK_STATE_ROOT);
  for (let i: u32 = 0; i < hashedCount(); i++) {
    const account = hashedAccount(i);
    if (load<u32>(account, STORAGE_UNSTORED)) listRoot(account + STORAGE_TRIE, account + STORAGE_ROOT);
  }
  clearHashed();
  return true;
}

function listRoot(root: usize, hash: usize): void {
  const node: usize = load<u32>(root);
  if (node) list(node, 0, hash);
}

/** Lists a node that isn't embedded, and the unstored data below it. */
function list(node: usize, from: u32, hash: usize): void {
  const start = encode(node, from, NODE_BUFFERS), n = <u32>(written - start);
  if (hasExtension(node, from)) {
    keccak(HASH, start, n);
    addRecord(UNSTORED_NODE, HASH, start, n);
    const extension = encodeExtension(node, from, HASH, NODE_BUFFERS);
    addRecord(UNSTORED_NODE, hash, extension, <u32>(written - extension));
  } else addRecord(UNSTORED_NODE, hash, start, n);
  listBelow(node);
}

function listBelow(node: usize): void {
  if (isLeaf(node)) {
    listEntry(node);
    return;
  }
  const depth = load<u32>(node, DEPTH), embedded = load<u32>(node, EMBEDDED);
  let rest = load<u32>(node, UNSTORED) & load<u32>(node, CHILDREN);
  store<u32>(node, 0, UNSTORED);
  for (; rest; rest &= rest - 1) {
    const i = ctz(rest), below = child(node, i);
    if (embedded & (1 << i)) listBelow(below);
    else list(below, depth + 1, node + CHILD_HASH + (i << 5));
  }
}

/** Lists the preimage of a new leaf's key, and an account's new code. */
function listEntry(leaf: usize): void {
  const entry: usize = load<u32>(leaf, VALUE_AT), kind = load<u32>(leaf, VALUE_KIND);
  if (load<u32>(leaf, NEW)) {
    store<u32>(leaf, 0, NEW);
    if (kind == ACCOUNT_VALUE || kind == STORAGE_VALUE) writeAddress(addRecord(UNSTORED_PREIMAGE, leaf + KEY, 0, 20), entry);
    else if (kind == SLOT_VALUE) reverse(addRecord(UNSTORED_PREIMAGE, leaf + KEY, 0, 32), entry + KEY_OF_SLOT);
  }
  if (kind != ACCOUNT_VALUE || !load<u32>(entry, CODE_UNSTORED)) return;
  store<u32>(entry, 0, CODE_UNSTORED);
  const code: usize = load<u32>(entry, CODE);
  if (code > 1) addRecord(UNSTORED_CODE, entry + CODE_HASH, code + CODE_BYTES, load<u32>(code, CODE_LENGTH));
}

/** @param from 0: the caller writes the bytes. @returns the address of the bytes */
function addRecord(kind: u32, hash: usize, from: usize, n: u32): usize {
  count++;
  return writeRecord(records, kind, hash, from, n);
}
