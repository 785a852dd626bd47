// SELFDESTRUCT (EIP-6780), and the accounts that the current transaction has destroyed.
import { access, isWarm } from '../state/warm.ts';
import { accessAccount } from '../state/accesses.ts';
import { accountAt, BALANCE, CREATED, epoch, exists, isEmpty } from '../state/accounts.ts';
import { accessesAccount, destroys, mentionsAccount } from './events.ts';
import { base, createBuffer, extend, length, setLength } from '../memory/heap.ts';
import { charge, frame, GAS, operand, SELF, STATIC } from './frames.ts';
import { DONE, MISSING, OUT_OF_GAS, STATIC_STATE_CHANGE, WAITS } from '../memory/halts.ts';
import {
  journal, recordSize, setBalance, setSlot, slotWrittenBefore, touch, touchRipemd, transfer,
} from '../state/journal.ts';
import { SCRATCH } from '../memory/layout.ts';
import { logTransfer } from './logs.ts';
import { addRefund } from './refund.ts';
import { chargeStateGas } from './state-gas.ts';
import { removeAccount, removeStorage, removeStorageOf, removeStorageOfTouched } from '../state/removed-storage.ts';
import { isAccountMissing } from '../trie/missing.ts';
import { tellStep } from './steps.ts';
import { OWNER } from '../state/slots.ts';
import { copyWord, isZero, setWord } from '../memory/words.ts';
import {
  ACCOUNT_STATE_RULE, COLD_ACCOUNT_RULE, DESTROYED_RULE, EIP_161, EIP_6780, EIP_8246, NEW_HEIR_RULE, SELFDESTRUCT_RULE,
} from '../tables/rule.ts';

let destroyed: usize = 0;

export function setupDestroyed(): void {
  destroyed = createBuffer(8);
}

export function destroyedMark(): u32 {
  return length(destroyed);
}

export function dropDestroyed(mark: u32): void {
  setLength(destroyed, mark);
}

export function selfDestruct(): i32 {
  const self: usize = load<u32>(frame, SELF), beneficiary = accountAt(operand(1));
  mentionsAccount(beneficiary);
  if (load<u32>(frame, STATIC)) return STATIC_STATE_CHANGE;
  accessesAccount(beneficiary);
  if (isAccountMissing(beneficiary)) return MISSING;
  let gas = load<i64>(SELFDESTRUCT_RULE);
  if (!isWarm(beneficiary)) {
    gas += load<i64>(COLD_ACCOUNT_RULE);
    access(beneficiary);
  }
  if (load<i64>(frame, GAS) >= gas) accessAccount(beneficiary);
  const isNew: bool = load<u32>(EIP_161) ? !isZero(self + BALANCE) && isEmpty(beneficiary) : !exists(beneficiary);
  if (isNew) gas += load<i64>(NEW_HEIR_RULE);
  if (!charge(gas) || (isNew && !chargeStateGas(load<i64>(ACCOUNT_STATE_RULE)))) return OUT_OF_GAS;
  if (TELLS_STEPS && tellStep()) return WAITS;
  destroys(self, beneficiary);
  touch(beneficiary);
  copyWord(SCRATCH, self + BALANCE);
  if (!isZero(SCRATCH)) logTransfer(self, beneficiary, SCRATCH);
  transfer(self, beneficiary, SCRATCH);
  if (!load<u32>(EIP_6780) || load<u32>(self, CREATED) == epoch) {
    if (!load<u32>(EIP_8246)) {
      setWord(SCRATCH, 0);
      setBalance(self, SCRATCH);
    }
    if (load<i64>(DESTROYED_RULE) && !isDestroyed(self)) addRefund(load<i64>(DESTROYED_RULE));
    store<u32>(extend(destroyed, 4), <u32>self);
  }
  return DONE;
}

function isDestroyed(account: usize): bool {
  for (let i: u32 = 0; i < length(destroyed); i += 4) if (load<u32>(base(destroyed) + i) == <u32>account) return true;
  return false;
}

/** At the end of a transaction, removes the accounts that it has destroyed, and touched accounts that are empty, with their storage. */
export function removeAccounts(start: u32): void {
  touchRipemd();
  removeStorageOfTouched();
  for (let i: u32 = 0; i < length(destroyed); i += 4) {
    const account: usize = load<u32>(base(destroyed) + i);
    // An account created in this transaction has only the slots that were written in it.
    if (load<u32>(account, CREATED) == epoch) clearSlotsOf(account, start);
    else removeStorageOf(account);
    removeAccount(account);
  }
  removeStorage();
  setLength(destroyed, 0);
}

/** Clears the slots of an account that were written since a mark in the journal. */
function clearSlotsOf(account: usize, start: u32): void {
  setWord(SCRATCH, 0);
  for (let at = length(journal); at > start; at -= recordSize(at)) {
    const slot = slotWrittenBefore(at);
    if (slot && load<u32>(slot, OWNER) == <u32>account) setSlot(slot, SCRATCH);
  }
}
