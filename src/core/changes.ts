// What was written since a mark of the journal: each account and each slot once.
import { ACCOUNT_SIZE } from './accounts';
import { CODE_HASH, LISTED, SLOT_LISTED, VALUE } from './entries';
import { base, createBuffer, extend, length, setLength } from './heap';
import { ACCOUNT_WORD, journal, recordSize, SLOT_VALUE } from './journal';

/** pointers to the entries */
let accounts: usize = 0;
let slots: usize = 0;
/** accounts whose code was set, some of them several times */
let codes: usize = 0;
/** marks the entries that are on the lists */
let list: u32 = 0;

export function setupChanges(): void {
  accounts = createBuffer(8);
  slots = createBuffer(8);
  codes = createBuffer(8);
}

/** Makes the lists of what was written since a mark. */
export function listChanges(from: u32): void {
  list++;
  setLength(accounts, 0);
  setLength(slots, 0);
  setLength(codes, 0);
  for (let at = length(journal); at > from; at -= recordSize(at)) {
    const pointer = load<u32>(base(journal) + at - 4), kind = pointer & 3;
    if (kind == ACCOUNT_WORD) {
      const account = pointer & ~(ACCOUNT_SIZE - 1);
      if (pointer - account == <u32>CODE_HASH) store<u32>(extend(codes, 4), account);
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

export function changedSlots(): usize {
  return base(slots);
}

export function changedSlotCount(): u32 {
  return length(slots) >> 2;
}
