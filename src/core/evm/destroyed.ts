// SELFDESTRUCT (EIP-6780), and the accounts that the running transaction has destroyed.
import { access, isWarm } from '../state/warm.ts';
import { accountAt, BALANCE, CODE, CREATED, epoch, isEmpty, NONCE } from '../state/accounts.ts';
import { accessesAccount, destroys, mentionsAccount } from './events.ts';
import { base, createBuffer, extend, length, setLength } from '../memory/heap.ts';
import { charge, frame, operand, SELF, STATIC } from './frames.ts';
import { DONE, MISSING, OUT_OF_GAS, STATIC_STATE_CHANGE, WAITS } from '../memory/halts.ts';
import {
  journal, recordSize, setBalance, setCodeRecord, setNonce, setSlot, slotWrittenBefore, touch, transfer,
} from '../state/journal.ts';
import { EMPTY_CODE_HASH, SCRATCH } from '../memory/layout.ts';
import { logTransfer } from './logs.ts';
import { isAccountMissing } from '../trie/missing.ts';
import { tellStep } from './steps.ts';
import { OWNER } from '../state/slots.ts';
import { copyWord, isZero, setWord } from '../memory/words.ts';
import { COLD_ACCOUNT_RULE, NEW_ACCOUNT_RULE, SELFDESTRUCT_RULE } from '../tables/rule.ts';

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
  const self: usize = load<u32>(frame, SELF), heir = accountAt(operand(1));
  mentionsAccount(heir);
  if (load<u32>(frame, STATIC)) return STATIC_STATE_CHANGE;
  accessesAccount(heir);
  if (isAccountMissing(heir)) return MISSING;
  let gas = load<i64>(SELFDESTRUCT_RULE);
  if (!isWarm(heir)) {
    gas += load<i64>(COLD_ACCOUNT_RULE);
    access(heir);
  }
  if (!isZero(self + BALANCE) && isEmpty(heir)) gas += load<i64>(NEW_ACCOUNT_RULE);
  if (!charge(gas)) return OUT_OF_GAS;
  if (TELLS_STEPS && tellStep()) return WAITS;
  destroys(self, heir);
  touch(heir);
  copyWord(SCRATCH, self + BALANCE);
  if (!isZero(SCRATCH)) logTransfer(self, heir, SCRATCH);
  transfer(self, heir, SCRATCH);
  if (load<u32>(self, CREATED) == epoch) {
    setWord(SCRATCH, 0);
    setBalance(self, SCRATCH);
    store<u32>(extend(destroyed, 4), <u32>self);
  }
  return DONE;
}

/**
 * At the end of a transaction: clears the destroyed accounts. They were created in it, so it wrote all their
 * slots.
 */
export function clearDestroyed(start: u32): void {
  const n = length(destroyed) >> 2;
  if (n == 0) return;
  const end = length(journal);
  setWord(SCRATCH, 0);
  for (let i: u32 = 0; i < n; i++) {
    const account: usize = load<u32>(base(destroyed) + (i << 2));
    setBalance(account, SCRATCH);
    if (load<u64>(account, NONCE)) setNonce(account, 0);
    if (load<u32>(account, CODE)) setCodeRecord(account, 0, EMPTY_CODE_HASH);
    for (let at = end; at > start; at -= recordSize(at)) {
      const slot = slotWrittenBefore(at);
      if (slot && load<u32>(slot, OWNER) == <u32>account) setSlot(slot, SCRATCH);
    }
  }
  setLength(destroyed, 0);
}
