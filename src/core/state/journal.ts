// The journal of the open block: the old content of accounts and slots before each write. Frames, transactions and the block are rolled
// back by walking it backwards to a mark.
//
// A record ends with a pointer to the changed word, whose two lowest bits are the kind of the record. It is preceded by the old 32 bytes.
// Warm marks, and marks that a slot is loaded, have no old bytes, and are simply cleared.
import { HAS_SLOTS, REMOVED_TRIE } from './entries.ts';
import {
  ACCOUNT_SIZE, BALANCE, CODE, CODE_HASH, CODE_UNSTORED, epoch, hasStorage, isEmpty, KEPT, markDirty, NONCE, precompileAt, STORAGE_DIRTY, STORAGE_ROOT,
  STORAGE_TRIE, STORAGE_UNSTORED, WARM,
} from './accounts.ts';
import { base, createBuffer, extend, length, setLength } from '../memory/heap.ts';
import { markSlotDirty, SLOT_LOADED, SLOT_WARM, VALUE } from './slots.ts';
import { add, copyWord, isZero, subtract } from '../memory/words.ts';
import { EIP_161 } from '../tables/rule.ts';

export const ACCOUNT_WORD: u32 = 0;
export const SLOT_VALUE: u32 = 1;
const WARM_MARK: u32 = 2;
const TRANSIENT_VALUE: u32 = 3;

export let journal: usize = 0;
/** accounts with storage that were empty when the current transaction touched them (EIP-161) */
export let touched: usize = 0;
/** the account of RIPEMD-160's precompile if the current transaction has touched it, or 0 */
let ripemd: usize = 0;
/** storage tries to be released: pointers to their root nodes */
export let droppedTries: usize = 0;

const RIPEMD: u32 = 3;

export function setupJournal(): void {
  journal = createBuffer(16);
  touched = createBuffer(8);
  ripemd = 0;
  droppedTries = createBuffer(8);
}

/** Clears the touched accounts when a transaction begins. */
export function clearTouched(): void {
  setLength(touched, 0);
  ripemd = 0;
}

/** Returns a mark to which the journal can be rolled back. */
export function mark(): u32 {
  return length(journal);
}

function save(word: usize, kind: u32): void {
  const at = extend(journal, 36);
  copyWord(at, word);
  store<u32>(at, <u32>word | kind, 32);
}

export function saveAccountWord(account: usize, offset: usize): void {
  save(account + offset, ACCOUNT_WORD);
  markDirty(account);
}

export function revertTo(to: u32): void {
  let at = length(journal);
  while (at > to) {
    const end = base(journal) + at, pointer = load<u32>(end - 4), kind = pointer & 3;
    const word: usize = pointer & ~3;
    if (kind == WARM_MARK) {
      store<u32>(word, 0);
      at -= 4;
      continue;
    }
    copyWord(word, end - 36);
    if (kind == ACCOUNT_WORD) {
      const account = word & ~(<usize>ACCOUNT_SIZE - 1);
      markDirty(account);
      if (word == account + STORAGE_ROOT) returnStorage(account);
    }
    else if (kind == SLOT_VALUE) markSlotDirty(word - VALUE);
    at -= 36;
  }
  setLength(journal, to);
}

/** Undoes the removal of an account's storage: its trie is restored, and the trie that has replaced it is discarded. */
function returnStorage(account: usize): void {
  if (load<u32>(account, STORAGE_TRIE)) store<u32>(extend(droppedTries, 4), load<u32>(account, STORAGE_TRIE));
  store<u32>(account, load<u32>(account, REMOVED_TRIE), STORAGE_TRIE);
  store<u32>(account, 1, STORAGE_DIRTY);
  store<u32>(account, 1, STORAGE_UNSTORED);
}

/** Keeps only the records that matter after the block: warm marks and transient slots are valid only within their transaction. */
export function compactJournal(): void {
  const start = base(journal), end = length(journal);
  // Records are read from their ends, so the kept ones are first moved to the end of the buffer, in order.
  let from = end, to = end;
  while (from > 0) {
    const kind = load<u32>(start + from - 4) & 3;
    if (kind == WARM_MARK) {
      from -= 4;
      continue;
    }
    if (kind != TRANSIENT_VALUE) {
      to -= 36;
      memory.copy(start + to, start + from - 36, 36);
    }
    from -= 36;
  }
  memory.copy(start, start + to, end - to);
  setLength(journal, end - to);
}

/**
 * The slot that the record ending at an offset has written, or 0. The caller walks the journal itself, since callbacks would be too slow
 * here.
 */
export function slotWrittenBefore(at: u32): usize {
  const pointer = load<u32>(base(journal) + at - 4);
  return (pointer & 3) == SLOT_VALUE ? <usize>(pointer & ~3) - VALUE : 0;
}

/** The size of the record that ends at an offset. */
export function recordSize(at: u32): u32 {
  return (load<u32>(base(journal) + at - 4) & 3) == WARM_MARK ? 4 : 36;
}

// ---- the writes

export function setBalance(account: usize, wei: usize): void {
  saveAccountWord(account, BALANCE);
  copyWord(account + BALANCE, wei);
}

/** Makes an empty account exist: in a genesis state, because another chain has it, or before EIP-161. */
export function keepEmpty(account: usize): void {
  saveAccountWord(account, NONCE);
  store<u32>(account, 1, KEPT);
}

/** Touches an account: then it exists, or is removed if it is empty (EIP-161). */
export function touch(account: usize): void {
  if (!load<u32>(EIP_161)) {
    if (!load<u32>(account, KEPT)) keepEmpty(account);
    return;
  }
  if (!load<u32>(account, KEPT)) return;
  if (isEmpty(account) && (load<u32>(account, HAS_SLOTS) || hasStorage(account))) store<u32>(extend(touched, 4), <u32>account);
  if (precompileAt(account) == RIPEMD) ripemd = account;
  saveAccountWord(account, NONCE);
  store<u32>(account, 0, KEPT);
}

/** RIPEMD-160's precompile stays touched even after a revert, because of a historical event on mainnet (EIP-716). */
export function touchRipemd(): void {
  if (ripemd) touch(ripemd);
}

/** @returns true when the balance would exceed 256 bits: then nothing has changed */
export function addBalance(account: usize, wei: usize): bool {
  touch(account);
  saveAccountWord(account, BALANCE);
  if (!add(account + BALANCE, account + BALANCE, wei)) return false;
  subtract(account + BALANCE, account + BALANCE, wei);
  return true;
}

export function subtractBalance(account: usize, wei: usize): void {
  saveAccountWord(account, BALANCE);
  subtract(account + BALANCE, account + BALANCE, wei);
}

/** @returns true when the recipient's balance would exceed 256 bits */
export function transfer(from: usize, to: usize, wei: usize): bool {
  if (from == to || isZero(wei)) return false;
  subtractBalance(from, wei);
  return addBalance(to, wei);
}

export function setNonce(account: usize, nonce: u64): void {
  saveAccountWord(account, NONCE);
  store<u64>(account, nonce, NONCE);
}

/** @param record 0 = no code */
export function setCodeRecord(account: usize, record: usize, hash: usize): void {
  saveAccountWord(account, NONCE);
  saveAccountWord(account, CODE_HASH);
  store<u32>(account, <u32>record, CODE);
  store<u32>(account, 1, CODE_UNSTORED);
  copyWord(account + CODE_HASH, hash);
}

/** Saves the nonce and the mark of creation, that is, everything that a creation changes except the code. */
export function saveNonce(account: usize): void {
  saveAccountWord(account, NONCE);
}

export function setSlot(slot: usize, value: usize): void {
  save(slot + VALUE, SLOT_VALUE);
  copyWord(slot + VALUE, value);
  markSlotDirty(slot);
}

/** Writes a slot that may not be loaded. If the write is rolled back, such a slot counts as not loaded again. */
export function overwriteSlot(slot: usize, value: usize): void {
  if (!load<u32>(slot, SLOT_LOADED)) {
    store<u32>(extend(journal, 4), <u32>(slot + SLOT_LOADED) | WARM_MARK);
    store<u32>(slot, 1, SLOT_LOADED);
  }
  setSlot(slot, value);
}

export function setTransientSlot(slot: usize, value: usize): void {
  save(slot + VALUE, TRANSIENT_VALUE);
  copyWord(slot + VALUE, value);
}

/* @inline */ export function isSlotWarm(slot: usize): bool {
  return load<u32>(slot, SLOT_WARM) == epoch;
}

export function warmSlot(slot: usize): void {
  store<u32>(extend(journal, 4), <u32>(slot + SLOT_WARM) | WARM_MARK);
  store<u32>(slot, epoch, SLOT_WARM);
}

export function warmAccount(account: usize): void {
  store<u32>(extend(journal, 4), <u32>(account + WARM) | WARM_MARK);
  store<u32>(account, epoch, WARM);
}
