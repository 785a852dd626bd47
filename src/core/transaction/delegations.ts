// The authorization list of a transaction of type 4 (EIP-7702).
import { DELEGATES } from '../state/entries.ts';
import { accountAt, accountAtBytes, CODE, isEmpty, KEPT, NONCE } from '../state/accounts.ts';
import { isWarm } from '../state/warm.ts';
import { accessAccount } from '../state/accesses.ts';
import { codeRecord } from '../state/codes.ts';
import { mentionsAccount } from '../evm/events.ts';
import { MALFORMED } from '../memory/faults.ts';
import { MISSING, NEEDS_SIGNER, NONE, OUT_OF_GAS } from '../memory/halts.ts';
import { base, createBuffer, extend, length, setLength } from '../memory/heap.ts';
import { setCodeRecord, setNonce, warmAccount } from '../state/journal.ts';
import { keccak } from '../memory/keccak.ts';
import {
  EMPTY_CODE_HASH, HASHED, PUBLIC_KEY, RULES_CHAIN_ID, SCRATCH, SIGNATURE, SIGNATURE_ID, SIGNING_HASH,
  TX_AUTHORIZATION_COUNT, TX_AUTHORIZATIONS, TX_AUTHORIZATIONS_END, TX_HAS_TO, TX_TO, TX_VALUE, VALUE_BUFFER,
} from '../memory/layout.ts';
import { isCodeMissing } from '../trie/missing.ts';
import { charge } from '../evm/frames.ts';
import { addRefund } from '../evm/refund.ts';
import { chargeStateGas } from '../evm/state-gas.ts';
import {
  beginList, endList, isValid, item, moveTo, nextBytes, nextList, nextNumber, nextWord, position,
  startReading, startWriting, written,
} from '../memory/rlp.ts';
import { HALF_ORDER } from './signature.ts';
import { isZero, less, reverse, upper } from '../memory/words.ts';
import { ACCOUNT_STATE_RULE, AUTHORITY_WRITE_RULE, AUTHORIZATION_REFUND_RULE, DELEGATION_STATE_RULE } from '../tables/rule.ts';

const MAGIC: u32 = 0x05;
// Bits of a valid tuple: its authority was delegated before the transaction; it was charged for a new delegation.
const IS_VALID: u32 = 1;
const WAS_DELEGATED: u32 = 2;
const IS_CHARGED: u32 = 4;
/** fields of each tuple: pointer to the signer or 0, address of the target, nonce (8 bytes), bits */
const TUPLE_SIZE: u32 = 24;
let tuples: usize = 0;
/** address of the next tuple */
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
 * @returns NONE, NEEDS_SIGNER with the signature at SIGNATURE, or MALFORMED
 */
export function readAuthorizations(): i32 {
  while (length(tuples) / TUPLE_SIZE < load<u32>(TX_AUTHORIZATION_COUNT)) {
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
    const tuple = extend(tuples, TUPLE_SIZE);
    store<u32>(tuple, 0);
    store<u32>(tuple, <u32>address, 4);
    store<u64>(tuple, nonce, 8);
    store<u32>(tuple, 0, 16);
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

/** Called when the host has recovered the public key for the last tuple. */
export function signerFound(): void {
  keccak(HASHED, PUBLIC_KEY + 1, 64);
  store<u32>(base(tuples) + length(tuples) - TUPLE_SIZE, <u32>accountAtBytes(HASHED + 12));
}

/**
 * Sets the delegations. A tuple that breaks a rule is skipped. The cost of the writes (EIP-8037, EIP-8038) is charged to the current frame.
 * @returns NONE, MISSING, or OUT_OF_GAS
 */
export function setDelegations(sender: usize): i32 {
  for (let i: u32 = 0; i < length(tuples); i += TUPLE_SIZE) {
    const tuple = base(tuples) + i, authority: usize = load<u32>(tuple), target: usize = load<u32>(tuple, 4);
    if (!authority) continue;
    mentionsAccount(authority);
    if (isCodeMissing(authority)) return MISSING;
    if (!isWarm(authority)) warmAccount(authority);
    accessAccount(authority);
    const record: usize = load<u32>(authority, CODE);
    if (record && !load<u32>(record, DELEGATES)) continue;
    if (load<u64>(authority, NONCE) != load<u64>(tuple, 8)) continue;
    const exists = !isEmpty(authority) || load<u32>(authority, KEPT) != 0;
    if (exists) addRefund(load<i64>(AUTHORIZATION_REFUND_RULE));
    if (!chargeFor(i, sender, exists, record != 0, !isNoAddress(target))) return OUT_OF_GAS;
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

/**
 * Charges a valid tuple for its writes; the write of an authority is charged only once.
 * @param isDelegated whether the authority is delegated before the tuple
 * @param delegates whether it is delegated after the tuple
 * @returns false when the gas doesn't suffice
 */
function chargeFor(offset: u32, sender: usize, exists: bool, isDelegated: bool, delegates: bool): bool {
  const tuple = base(tuples) + offset, authority = load<u32>(tuple);
  let earlier: u32 = 0;
  for (let at: u32 = 0; at < offset; at += TUPLE_SIZE)
    if (load<u32>(base(tuples) + at) == authority) earlier |= load<u32>(base(tuples) + at, 16);
  const isWritten = earlier != 0 || authority == <u32>sender
    || (load<u32>(TX_HAS_TO) != 0 && !isZero(TX_VALUE) && authority == <u32>accountAt(TX_TO));
  if (!isWritten && !charge(load<i64>(AUTHORITY_WRITE_RULE))) return false;
  const wasDelegated = earlier ? (earlier & WAS_DELEGATED) != 0 : isDelegated;
  const isNew = delegates && !isDelegated && !wasDelegated && !(earlier & IS_CHARGED);
  store<u32>(tuple, IS_VALID | (wasDelegated ? WAS_DELEGATED : 0) | (isNew ? IS_CHARGED : 0), 16);
  return chargeStateGas((exists ? 0 : load<i64>(ACCOUNT_STATE_RULE)) + (isNew ? load<i64>(DELEGATION_STATE_RULE) : 0));
}

function isNoAddress(address: usize): bool {
  return (load<u64>(address) | load<u64>(address, 8) | <u64>load<u32>(address, 16)) == 0;
}

