// Removal of accounts' storage, which may have more slots than the table contains: slots in the table become 0, all others count as 0 from
// then on (GONE), and the storage trie is kept aside (REMOVED_TRIE), to be restored if the removal is rolled back.
import { GONE, HAS_SLOTS, KEPT, NONCE, REMOVED_TRIE, REMOVING, STORAGE_ROOT, STORAGE_TRIE } from './entries.ts';
import { leaveOutSlots } from './accesses.ts';
import { CODE, hasStorage, isEmpty } from './accounts.ts';
import { base, createBuffer, extend, length, setLength } from '../memory/heap.ts';
import { mark, saveAccountWord, setBalance, setCodeRecord, setSlot, touched } from './journal.ts';
import { EMPTY_CODE_HASH, EMPTY_TRIE_ROOT } from '../memory/layout.ts';
import { LEAF, OWNER, SLOT_DIRTY, slotCellCount, slotInCell, VALUE } from './slots.ts';
import { copyWord, isZero } from '../memory/words.ts';
import { EIP_8246 } from '../tables/rule.ts';

const ZERO: usize = memory.data(32);

/** accounts whose storage {@link removeStorage} removes */
let accounts: usize = 0;

export function setupRemovedStorage(): void {
  accounts = createBuffer(8);
}

/** Removes an account except for its storage. With EIP-8246 its balance is kept. */
export function removeAccount(account: usize): void {
  if (!load<u32>(EIP_8246)) setBalance(account, ZERO);
  if (load<u32>(account, CODE)) setCodeRecord(account, 0, EMPTY_CODE_HASH);
  saveAccountWord(account, NONCE);
  store<u64>(account, 0, NONCE);
  store<u32>(account, 0, KEPT);
}

/** Registers an account whose storage {@link removeStorage} will remove. */
export function removeStorageOf(account: usize): void {
  if (load<u32>(account, REMOVING)) return;
  store<u32>(account, 1, REMOVING);
  store<u32>(extend(accounts, 4), <u32>account);
}

/** Registers the empty accounts that the transaction has touched (EIP-161). */
export function removeStorageOfTouched(): void {
  for (let i: u32 = 0; i < length(touched); i += 4) {
    const account: usize = load<u32>(base(touched) + i);
    if (isEmpty(account) && !load<u32>(account, KEPT)) removeStorageOf(account);
  }
}

/** Removes the storage of all registered accounts. */
export function removeStorage(): void {
  const n = length(accounts);
  if (!n) return;
  let inTable = false;
  for (let i: u32 = 0; i < n; i += 4) {
    const account: usize = load<u32>(base(accounts) + i);
    if (load<u32>(account, HAS_SLOTS)) inTable = true;
    else store<u32>(account, 0, REMOVING);
    if (load<u32>(account, HAS_SLOTS) || hasStorage(account)) putAside(account);
  }
  if (inTable) {
    const from = mark();
    clearSlots();
    leaveOutSlots(from, mark());
  }
  for (let i: u32 = 0; i < n; i += 4) store<u32>(<usize>load<u32>(base(accounts) + i), 0, REMOVING);
  setLength(accounts, 0);
}

/** Puts the storage trie aside. The order of the writes matters: the journal is rolled back from its end. */
function putAside(account: usize): void {
  saveAccountWord(account, NONCE);
  saveAccountWord(account, STORAGE_ROOT);
  store<u32>(account, 1, GONE);
  store<u32>(account, load<u32>(account, STORAGE_TRIE), REMOVED_TRIE);
  store<u32>(account, 0, STORAGE_TRIE);
  copyWord(account + STORAGE_ROOT, EMPTY_TRIE_ROOT);
}

/** Clears the slots. A slot that is 0 but not yet folded is written as well: it has to be folded again if the trie is restored. */
function clearSlots(): void {
  for (let i: u32 = 0, n = slotCellCount(); i < n; i++) {
    const slot = slotInCell(i), owner = slot ? load<u32>(slot, OWNER) : 1;
    if (owner & 1 || !load<u32>(owner, REMOVING)) continue;
    store<u32>(slot, 0, LEAF);
    if (load<u16>(slot, SLOT_DIRTY) || !isZero(slot + VALUE)) setSlot(slot, ZERO);
  }
}
