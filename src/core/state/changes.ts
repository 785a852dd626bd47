// The writes since a mark in the journal: each account and each slot once.
import { ACCOUNT_SIZE, exists, writeAddress } from './accounts.ts';
import {
  BALANCE, CHANGED_ACCOUNT_SIZE, CHANGED_SLOT_SIZE, CHANGES_HEAD, CODE, CODE_BYTES, CODE_HASH, CODE_LENGTH, KEY,
  LISTED, NONCE, OWNER, ROOT_AFTER, ROOT_BEFORE, SLOT_LISTED, STORAGE_ROOT, VALUE,
} from './entries.ts';
import { base, createBuffer, extend, length, room, setLength } from '../memory/heap.ts';
import { ACCOUNT_WORD, journal, recordSize, SLOT_VALUE } from './journal.ts';
import { copyWord, reverse } from '../memory/words.ts';

/** pointers to the entries */
let accounts: usize = 0;
let slots: usize = 0;
/** accounts whose code was set; may contain duplicates */
let codes: usize = 0;
/** accounts whose storage was removed; may contain duplicates */
let cleared: usize = 0;
/** see encodeChanges() */
let encoded: usize = 0;
/** number of the current lists, which marks the entries that they contain */
let list: u32 = 0;

export function setupChanges(): void {
  accounts = createBuffer(8);
  slots = createBuffer(8);
  codes = createBuffer(8);
  cleared = createBuffer(8);
  encoded = createBuffer(12);
}

/** Lists the writes since a mark. */
export function listChanges(from: u32): void {
  list++;
  setLength(accounts, 0);
  setLength(slots, 0);
  setLength(codes, 0);
  setLength(cleared, 0);
  for (let at = length(journal); at > from; at -= recordSize(at)) {
    const pointer = load<u32>(base(journal) + at - 4), kind = pointer & 3;
    if (kind == ACCOUNT_WORD) {
      const account = pointer & ~(ACCOUNT_SIZE - 1);
      if (pointer - account == <u32>CODE_HASH) store<u32>(extend(codes, 4), account);
      if (pointer - account == <u32>STORAGE_ROOT) store<u32>(extend(cleared, 4), account);
      add(accounts, account, LISTED);
    }
    if (kind == SLOT_VALUE) add(slots, (pointer & ~3) - <u32>VALUE, SLOT_LISTED);
  }
}

function add(to: usize, entry: u32, mark: usize): void {
  if (load<u32>(<usize>entry + mark) == list) return;
  store<u32>(<usize>entry + mark, list);
  store<u32>(extend(to, 4), entry);
}

/** Whether an account is in the list. */
export function isListed(account: usize): bool {
  return load<u32>(account, LISTED) == list;
}

export function changedAccounts(): usize {
  return base(accounts);
}

export function changedAccountCount(): u32 {
  return length(accounts) >> 2;
}

export function changedCodes(): usize {
  return base(codes);
}

export function changedCodeCount(): u32 {
  return length(codes) >> 2;
}

export function clearedAccounts(): usize {
  return base(cleared);
}

export function clearedAccountCount(): u32 {
  return length(cleared) >> 2;
}

export function changedSlots(): usize {
  return base(slots);
}

export function changedSlotCount(): u32 {
  return length(slots) >> 2;
}

/** Whether a listed account doesn't exist any more, or any storage was removed. */
export function changesRemove(): bool {
  if (length(cleared)) return true;
  for (let i: u32 = 0; i < changedAccountCount(); i++) {
    const account: usize = load<u32>(base(accounts) + (i << 2));
    if (!exists(account)) return true;
  }
  return false;
}

/**
 * Encodes the listed entries with their current values for src/engine/wasm/encoded-writes.ts: see entries.ts. Must be called before the
 * fold into the tries, and encodeRoots() after it. All listed accounts must exist. @returns the number of bytes, which are at
 * encodedChanges()
 */
export function encodeChanges(): u32 {
  let size: u32 = CHANGES_HEAD + changedAccountCount() * CHANGED_ACCOUNT_SIZE + changedSlotCount() * CHANGED_SLOT_SIZE;
  let codeCount: u32 = 0;
  for (let i: u32 = 0; i < changedCodeCount(); i++) {
    const code: usize = load<u32>(<usize>load<u32>(base(codes) + (i << 2)), CODE);
    if (code <= 1) continue;
    codeCount++;
    size += 36 + load<u32>(code, CODE_LENGTH);
  }
  const start = room(encoded, size);
  store<u32>(start, changedAccountCount());
  store<u32>(start, changedSlotCount(), 4);
  store<u32>(start, codeCount, 8);
  let at = start + CHANGES_HEAD;
  for (let i: u32 = 0; i < changedAccountCount(); i++, at += CHANGED_ACCOUNT_SIZE) {
    const account: usize = load<u32>(base(accounts) + (i << 2));
    writeAddress(at, account);
    store<u64>(at, load<u64>(account, NONCE), 20);
    copyWord(at + 28, account + BALANCE);
    copyWord(at + 60, account + CODE_HASH);
    copyWord(at + ROOT_BEFORE, account + STORAGE_ROOT);
  }
  for (let i: u32 = 0; i < changedSlotCount(); i++, at += CHANGED_SLOT_SIZE) {
    const slot: usize = load<u32>(base(slots) + (i << 2));
    writeAddress(at, load<u32>(slot, OWNER));
    reverse(at + 20, slot + KEY);
    reverse(at + 52, slot + VALUE);
  }
  for (let i: u32 = 0; i < changedCodeCount(); i++) {
    const account: usize = load<u32>(base(codes) + (i << 2)), code: usize = load<u32>(account, CODE);
    if (code <= 1) continue;
    const n = load<u32>(code, CODE_LENGTH);
    copyWord(at, account + CODE_HASH);
    store<u32>(at, n, 32);
    memory.copy(at + 36, code + CODE_BYTES, n);
    at += 36 + n;
  }
  return size;
}

/** Adds the storage roots that the fold has computed. */
export function encodeRoots(): void {
  let at = base(encoded) + CHANGES_HEAD;
  for (let i: u32 = 0; i < changedAccountCount(); i++, at += CHANGED_ACCOUNT_SIZE) {
    copyWord(at + ROOT_AFTER, <usize>load<u32>(base(accounts) + (i << 2)) + STORAGE_ROOT);
  }
}

export function encodedChanges(): usize {
  return base(encoded);
}
