// State that the tables don't have, in a chain that loads it lazily: where the tries are those of the state, it is
// read from them. Otherwise a run stops before the opcode that needs it did anything that would count twice, the host
// fills the entry, or loads the node that is missing, and the opcode runs again.
import { CODE, LOADED } from './accounts';
import { CODE_NOT_LOADED } from './entries';
import { MISSING_ACCOUNT, MISSING_BLOCK_HASH, MISSING_CODE, MISSING_NODE, MISSING_SLOT } from './halts';
import { MISS_ENTRY, MISS_KIND, MISS_NUMBER } from './layout';
import { OWNER, SLOT_LOADED } from './slots';
import { tracksState } from './state-tries';
import { readAccount, readSlot } from './trie-reads';

function miss(kind: u32, entry: usize): bool {
  store<u32>(MISS_KIND, kind);
  store<u32>(MISS_ENTRY, <u32>entry);
  return true;
}

// @ts-ignore: decorator
@inline export function isAccountMissing(account: usize): bool {
  return !load<u32>(account, LOADED) && !loadAccount(account);
}

function loadAccount(account: usize): bool {
  return tracksState ? readAccount(account) : !miss(MISSING_ACCOUNT, account);
}

// @ts-ignore: decorator
@inline export function isCodeMissing(account: usize): bool {
  return isAccountMissing(account) || (load<u32>(account, CODE) == CODE_NOT_LOADED && miss(MISSING_CODE, account));
}

// @ts-ignore: decorator
@inline export function isSlotMissing(slot: usize): bool {
  return !load<u32>(slot, SLOT_LOADED) && !loadSlot(slot);
}

function loadSlot(slot: usize): bool {
  if (!tracksState) return !miss(MISSING_SLOT, slot);
  return !isAccountMissing(load<u32>(slot, OWNER)) && readSlot(slot);
}

export function missBlockHash(number: u64): void {
  store<u64>(MISS_NUMBER, number);
  miss(MISSING_BLOCK_HASH, 0);
}

/** @param hash where it is, until the node has come */
export function missNode(hash: usize): void {
  miss(MISSING_NODE, hash);
}
