// Writes many accounts at once, in the host's packed format: ../state/packed.ts.
import { accountAtBytes, CODE_HASH, KEPT, NONCE } from '../state/accounts.ts';
import { codeRecord } from '../state/codes.ts';
import { saveAccountWord, setBalance, setCodeRecord, setSlot } from '../state/journal.ts';
import {
  PACKED_ADDRESS, PACKED_BALANCE, PACKED_CODE_LENGTH, PACKED_CONTINUES, PACKED_HEAD, PACKED_NONCE, PACKED_SIZE, PACKED_SLOT,
  PACKED_SLOTS,
} from '../state/packed.ts';
import { slotAt } from '../state/slots.ts';
import { EMPTY_CODE_HASH, HASHED } from '../memory/layout.ts';
import { equal } from '../memory/words.ts';
import { isAccountMissing, isSlotMissing } from './missing.ts';

/** number of slots of the current record that have been written */
let doneSlots: u32 = 0;

/**
 * Writes the records between two addresses.
 * @returns the end if all are written; otherwise the first record for which state is missing: the caller must repeat the call with it
 */
export function writeAccounts(from: usize, to: usize): usize {
  for (let at = from; at < to; at += load<u32>(at, PACKED_SIZE)) {
    if (!writeAccount(at)) return at;
    doneSlots = 0;
  }
  return to;
}

/** @returns false when state is missing */
function writeAccount(record: usize): bool {
  const account = accountAtBytes(record + PACKED_ADDRESS);
  if (isAccountMissing(account)) return false;
  if (!load<u32>(record, PACKED_CONTINUES) && doneSlots == 0) writeFields(account, record);
  const slots = record + PACKED_HEAD + load<u32>(record, PACKED_CODE_LENGTH);
  for (const n = load<u32>(record, PACKED_SLOTS); doneSlots < n; doneSlots++) {
    const at = slots + doneSlots * PACKED_SLOT, slot = slotAt(account, at);
    if (isSlotMissing(slot)) return false;
    setSlot(slot, at + 32);
  }
  return true;
}

function writeFields(account: usize, record: usize): void {
  saveAccountWord(account, NONCE);
  // As in anvil, the nonce never decreases.
  store<u64>(account, max(load<u64>(account, NONCE), load<u64>(record, PACKED_NONCE)), NONCE);
  store<u32>(account, 1, KEPT);
  setBalance(account, record + PACKED_BALANCE);
  const n = load<u32>(record, PACKED_CODE_LENGTH);
  if (n > 0) {
    const code = codeRecord(record + PACKED_HEAD, n);
    if (!equal(account + CODE_HASH, HASHED)) setCodeRecord(account, code, HASHED);
  } else if (!equal(account + CODE_HASH, EMPTY_CODE_HASH)) setCodeRecord(account, 0, EMPTY_CODE_HASH);
}
