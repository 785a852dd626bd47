// State that the tables don't contain, in a chain that loads state lazily: if the tries contain the whole state, it is read from them.
// Otherwise a run is paused before the opcode that needs it has any effect that would count twice, the host fills the entry or loads the
// missing node, and the opcode runs again.
import { CODE, LOADED } from '../state/accounts.ts';
import { CODE_NOT_LOADED, GONE } from '../state/entries.ts';
import { MISSING_ACCOUNT, MISSING_CODE, MISSING_SLOT } from '../memory/halts.ts';
import { miss } from '../state/misses.ts';
import { OWNER, SLOT_LOADED } from '../state/slots.ts';
import { tracksState } from './state-tries.ts';
import { holdsDifferences } from './differences.ts';
import { missAccount, missSlot, readAccount, readSlot } from './trie-reads.ts';

/* @inline */ export function isAccountMissing(account: usize): bool {
  return !load<u32>(account, LOADED) && !loadAccount(account);
}

function loadAccount(account: usize): bool {
  if (tracksState) return readAccount(account);
  return holdsDifferences ? !missAccount(account) : !miss(MISSING_ACCOUNT, account);
}

/* @inline */ export function isCodeMissing(account: usize): bool {
  return isAccountMissing(account) || (load<u32>(account, CODE) == CODE_NOT_LOADED && miss(MISSING_CODE, account));
}

/* @inline */ export function isSlotMissing(slot: usize): bool {
  return !load<u32>(slot, SLOT_LOADED) && !loadSlot(slot);
}

function loadSlot(slot: usize): bool {
  if (load<u32>(<usize>load<u32>(slot, OWNER), GONE)) return true;
  if (tracksState) return !isAccountMissing(load<u32>(slot, OWNER)) && readSlot(slot);
  if (!holdsDifferences) return !miss(MISSING_SLOT, slot);
  return !isAccountMissing(load<u32>(slot, OWNER)) && !missSlot(slot);
}
