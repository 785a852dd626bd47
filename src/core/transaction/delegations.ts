// The authorization list of a transaction of type 4 (EIP-7702).
import { DELEGATES } from '../state/entries.ts';
import { accountAtBytes, CODE, isEmpty, KEPT, NONCE } from '../state/accounts.ts';
import { isWarm } from '../state/warm.ts';
import { codeRecord } from '../state/codes.ts';
import { mentionsAccount } from '../evm/events.ts';
import { MALFORMED } from '../memory/faults.ts';
import { MISSING, NEEDS_SIGNER, NONE } from '../memory/halts.ts';
import { base, createBuffer, extend, length, setLength } from '../memory/heap.ts';
import { setCodeRecord, setNonce, warmAccount } from '../state/journal.ts';
import { keccak } from '../memory/keccak.ts';
import {
  EMPTY_CODE_HASH, HASHED, PUBLIC_KEY, RULES_CHAIN_ID, SCRATCH, SIGNATURE, SIGNATURE_ID, SIGNING_HASH,
  TX_AUTHORIZATION_COUNT, TX_AUTHORIZATIONS, TX_AUTHORIZATIONS_END, VALUE_BUFFER,
} from '../memory/layout.ts';
import { isCodeMissing } from '../trie/missing.ts';
import { addRefund } from '../evm/refund.ts';
import {
  beginList, endList, isValid, item, moveTo, nextBytes, nextList, nextNumber, nextWord, position,
  startReading, startWriting, written,
} from '../memory/rlp.ts';
import { HALF_ORDER } from './signature.ts';
import { isZero, less, reverse, upper } from '../memory/words.ts';
import { AUTHORIZATION_REFUND_RULE } from '../tables/rule.ts';

const MAGIC: u32 = 0x05;
/** what is known of each tuple: pointer to the signer or 0, offset of the address, 8 bytes nonce */
let tuples: usize = 0;
/** where the next tuple begins */
let next: usize = 0;

export function setupDelegations(): void {
  tuples = createBuffer(8);
}

export function resetSigners(): void {
  setLength(tuples, 0);
  next = 0;
}

/**
 * Reads the tuples whose signers aren't known yet.
 * @returns NONE, NEEDS_SIGNER with the signature in place, or MALFORMED
 */
export function readAuthorizations(): i32 {
  while (length(tuples) >> 4 < load<u32>(TX_AUTHORIZATION_COUNT)) {
    startReading(next ? next : load<u32>(TX_AUTHORIZATIONS), load<u32>(TX_AUTHORIZATIONS_END));
    nextList();
    const end = position;
    moveTo(item);
    const body = item;
    nextWord(SCRATCH);
    const isOurs = upper(SCRATCH) == 0 && load<u64>(SCRATCH) == load<u64>(RULES_CHAIN_ID);
    const forChain = isZero(SCRATCH) || isOurs;
    const address = nextBytes(20);
    const nonce = nextNumber();
    const size = <u32>(position - body);
    nextWord(SCRATCH);
    const parity = upper(SCRATCH) == 0 ? load<u64>(SCRATCH) : 256;
    nextWord(SCRATCH);
    reverse(SIGNATURE, SCRATCH);
    nextWord(SCRATCH);
    reverse(SIGNATURE + 32, SCRATCH);
    if (!isValid || position != end || parity > 255) return MALFORMED;
    next = end;
    const tuple = extend(tuples, 16);
    store<u32>(tuple, 0);
    store<u32>(tuple, <u32>address, 4);
    store<u64>(tuple, nonce, 8);
    if (!forChain || nonce == u64.MAX_VALUE || parity > 1 || less(HALF_ORDER, SCRATCH)) continue;
    store<u32>(SIGNATURE_ID, <u32>parity);
    beginList(VALUE_BUFFER);
    memory.copy(written, body, size);
    startWriting(written + size);
    const start = endList(VALUE_BUFFER) - 1;
    store<u8>(start, MAGIC);
    keccak(SIGNING_HASH, start, <u32>(written - start));
    return NEEDS_SIGNER;
  }
  return NONE;
}

/** The host has found the public key of the last tuple. */
export function signerFound(): void {
  keccak(HASHED, PUBLIC_KEY + 1, 64);
  store<u32>(base(tuples) + length(tuples) - 16, <u32>accountAtBytes(HASHED + 12));
}

/** Sets the delegations. A tuple that breaks a rule is skipped. @returns NONE or MISSING */
export function setDelegations(): i32 {
  for (let i: u32 = 0; i < length(tuples); i += 16) {
    const tuple = base(tuples) + i, authority: usize = load<u32>(tuple), target: usize = load<u32>(tuple, 4);
    if (!authority) continue;
    mentionsAccount(authority);
    if (isCodeMissing(authority)) return MISSING;
    if (!isWarm(authority)) warmAccount(authority);
    const record: usize = load<u32>(authority, CODE);
    if (record && !load<u32>(record, DELEGATES)) continue;
    if (load<u64>(authority, NONCE) != load<u64>(tuple, 8)) continue;
    if (!isEmpty(authority) || load<u32>(authority, KEPT)) addRefund(load<i64>(AUTHORIZATION_REFUND_RULE));
    setNonce(authority, load<u64>(tuple, 8) + 1);
    if (isNoAddress(target)) {
      setCodeRecord(authority, 0, EMPTY_CODE_HASH);
      continue;
    }
    store<u32>(VALUE_BUFFER, 0x000001ef);
    memory.copy(VALUE_BUFFER + 3, target, 20);
    const delegation = codeRecord(VALUE_BUFFER, 23);
    setCodeRecord(authority, delegation, HASHED);
  }
  return NONE;
}

function isNoAddress(address: usize): bool {
  return (load<u64>(address) | load<u64>(address, 8) | <u64>load<u32>(address, 16)) == 0;
}

