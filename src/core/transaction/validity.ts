// The rules that a transaction must fulfil to be in a block (yellow paper, section 6.2, and the EIPs cited), in geth's order.
import { DELEGATES } from '../state/entries.ts';
import { BALANCE, CODE, NONCE } from '../state/accounts.ts';
import { multiplyBy } from '../memory/arithmetic.ts';
import { maxInitCode } from '../evm/creates.ts';
import {
  ABOVE_BLOCK_BLOB_GAS, ABOVE_BLOCK_GAS, ABOVE_GAS_CAP, AUTHORIZATIONS_CREATE, BLOB_FEE_TOO_LOW, BLOB_VERSION,
  BLOBS_CREATE, FEE_CAP_TOO_LOW, INIT_CODE_SIZE, INSUFFICIENT_FUNDS, INTRINSIC_GAS, MALFORMED,
  NO_AUTHORIZATIONS, NO_BLOBS, NONCE_AT_MAXIMUM, NONCE_TOO_HIGH, NONCE_TOO_LOW, SENDER_HAS_CODE,
  TIP_ABOVE_FEE_CAP, TOO_MANY_BLOBS, UNKNOWN_TYPE, WRONG_CHAIN,
} from '../memory/faults.ts';
import {
  ANY_BASE_FEE, ANY_FEES, ANY_GAS, ANY_NONCE, ANY_SENDER, BLOCK_BASE_FEE, BLOCK_BLOB_FEE, BLOCK_BLOB_GAS_USED,
  BLOCK_EXECUTION_GAS, BLOCK_GAS_LIMIT, BLOCK_STATE_GAS, OUTSIDE_BLOCK, RESULT_BLOB_GAS, RULES_CHAIN_ID, RULES_MAX_BLOBS,
  RULES_MAX_BLOCK_BLOB_GAS, SCRATCH, SCRATCH_2, TX_ACCESS_LIST, TX_ACCESS_LIST_END,
  TX_AUTHORIZATION_COUNT, TX_BLOB_COUNT, TX_BLOB_FEE, TX_BLOBS, TX_CHAIN_ID, TX_DATA, TX_DATA_LENGTH,
  TX_EXEMPT, TX_FROM, TX_GAS, TX_GAS_PRICE, TX_HAS_TO, TX_MAX_BLOB_FEE, TX_MAX_FEE, TX_NONCE, TX_PRIORITY_FEE, TX_TIP,
  TX_TO, TX_TYPE, TX_VALUE,
} from '../memory/layout.ts';
import { isValid, item, moveTo, nextBytes, nextList, position, startReading } from '../memory/rlp.ts';
import { wordsOf } from '../evm/frames.ts';
import { add, copyWord, equal, isZero, less, setWord, subtract } from '../memory/words.ts';
import {
  AUTHORIZATION_RULE, BLOB_RULE, CREATION_RULE, EIP_1559, EIP_2930, EIP_4844, EIP_7702, FLOOR_CREATION_RULE, FLOOR_LISTED_ACCOUNT_RULE,
  FLOOR_LISTED_SLOT_RULE, FLOOR_NONZERO_BYTE_RULE, FLOOR_ZERO_BYTE_RULE, INIT_CODE_WORD_RULE, LISTED_ACCOUNT_RULE, LISTED_SLOT_RULE,
  MAX_EXECUTION_GAS_RULE, MAX_GAS_RULE, NONZERO_BYTE_RULE, RECIPIENT_RULE, TRANSACTION_RULE, TRANSFER_RULE, ZERO_BYTE_RULE,
} from '../tables/rule.ts';

const LEGACY: u32 = 0;
const ACCESS_LIST: u32 = 1;
const DYNAMIC_FEE: u32 = 2;
const BLOB: u32 = 3;
const SET_CODE: u32 = 4;
/** OP Stack; decode() rejects this type, so only the host can make such a message */
export const DEPOSIT: u32 = 0x7e;

/** gas charged before the first opcode */
export let intrinsicGas: i64 = 0;
/** EIP-7623: the minimum gas that the transaction uses */
export let floorGas: i64 = 0;

/** @returns 0, or the first rule that is broken */
export function findFault(sender: usize): i32 {
  const type = load<u32>(TX_TYPE), exempt = load<u32>(TX_EXEMPT), creates = load<u32>(TX_HAS_TO) == 0;
  if (!hasType(type, exempt)) return UNKNOWN_TYPE;
  if (load<u64>(TX_CHAIN_ID) != load<u64>(RULES_CHAIN_ID) && !(exempt & OUTSIDE_BLOCK)) return WRONG_CHAIN;
  if (!(exempt & ANY_NONCE)) {
    const nonce = load<u64>(TX_NONCE), expected = load<u64>(sender, NONCE);
    if (nonce < expected) return NONCE_TOO_LOW;
    if (nonce > expected) return NONCE_TOO_HIGH;
    if (expected == u64.MAX_VALUE) return NONCE_AT_MAXIMUM;
  }
  const gas = load<u64>(TX_GAS);
  if (!(exempt & ANY_GAS) && gas > load<u64>(MAX_GAS_RULE)) return ABOVE_GAS_CAP;
  if (!(exempt & OUTSIDE_BLOCK)) {
    const limit = load<u64>(BLOCK_GAS_LIMIT);
    if (min(gas, load<u64>(MAX_EXECUTION_GAS_RULE)) > limit - load<u64>(BLOCK_EXECUTION_GAS)) return ABOVE_BLOCK_GAS;
    if (gas > limit - load<u64>(BLOCK_STATE_GAS)) return ABOVE_BLOCK_GAS;
  } else if (gas > <u64>i64.MAX_VALUE) return ABOVE_BLOCK_GAS;
  if (!(exempt & ANY_SENDER)) {
    const record: usize = load<u32>(sender, CODE);
    // EIP-3607, EIP-7702
    if (record && !(load<u32>(EIP_7702) && load<u32>(record, DELEGATES))) return SENDER_HAS_CODE;
  }
  const pays = !(exempt & ANY_FEES);
  if (load<u32>(EIP_1559) && (pays || !isZero(TX_MAX_FEE) || !isZero(TX_PRIORITY_FEE))) {
    if (less(TX_MAX_FEE, TX_PRIORITY_FEE)) return TIP_ABOVE_FEE_CAP;
    if (less(TX_MAX_FEE, BLOCK_BASE_FEE) && !(exempt & ANY_BASE_FEE)) return FEE_CAP_TOO_LOW;
  }
  if (type == BLOB) {
    const fault = findBlobFault(pays, exempt);
    if (fault) return fault;
  }
  if (type == SET_CODE) {
    if (creates) return AUTHORIZATIONS_CREATE;
    if (!load<u32>(TX_AUTHORIZATION_COUNT)) return NO_AUTHORIZATIONS;
  }
  computePrices();
  if (!canPay(sender, gas)) return INSUFFICIENT_FUNDS;
  if (!computeGas(creates)) return MALFORMED;
  const least = max(intrinsicGas, floorGas);
  if (<i64>gas < least) return INTRINSIC_GAS;
  if (<u64>least > load<u64>(MAX_EXECUTION_GAS_RULE)) return ABOVE_GAS_CAP;
  return creates && load<u32>(TX_DATA_LENGTH) > maxInitCode() ? INIT_CODE_SIZE : 0;
}

/** Whether the hardfork has a transaction type. A call without fees may have type 2 in every hardfork. */
function hasType(type: u32, exempt: u32): bool {
  switch (type) {
    case LEGACY: case DEPOSIT: return true;
    case ACCESS_LIST: return (exempt & ANY_FEES) != 0 || load<u32>(EIP_2930) != 0;
    case DYNAMIC_FEE: return (exempt & ANY_FEES) != 0 || load<u32>(EIP_1559) != 0;
    case BLOB: return load<u32>(EIP_4844) != 0;
    case SET_CODE: return load<u32>(EIP_7702) != 0;
    default: return false;
  }
}

/** EIP-4844, EIP-7594 */
function findBlobFault(pays: bool, exempt: u32): i32 {
  const count = load<u32>(TX_BLOB_COUNT);
  if (!load<u32>(TX_HAS_TO)) return BLOBS_CREATE;
  if (!count) return NO_BLOBS;
  if (load<u32>(RULES_MAX_BLOBS) && count > load<u32>(RULES_MAX_BLOBS)) return TOO_MANY_BLOBS;
  for (let i: u32 = 0; i < count; i++) {
    if (load<u8>(load<u32>(TX_BLOBS) + i * 33 + 1) != 1) return BLOB_VERSION;
  }
  if ((pays || !isZero(TX_MAX_BLOB_FEE)) && less(TX_MAX_BLOB_FEE, BLOCK_BLOB_FEE)) return BLOB_FEE_TOO_LOW;
  const used = load<u64>(BLOCK_BLOB_GAS_USED) + <u64>count * load<u64>(BLOB_RULE);
  return !(exempt & OUTSIDE_BLOCK) && used > load<u64>(RULES_MAX_BLOCK_BLOB_GAS) ? ABOVE_BLOCK_BLOB_GAS : 0;
}

/** Computes the gas price that the sender pays, the part of it for the coinbase (EIP-1559), and the blob fee. */
function computePrices(): void {
  const overflow = add(TX_GAS_PRICE, BLOCK_BASE_FEE, TX_PRIORITY_FEE);
  if (overflow || less(TX_MAX_FEE, TX_GAS_PRICE)) copyWord(TX_GAS_PRICE, TX_MAX_FEE);
  // A call may offer less than the base fee; then it pays no priority fee.
  if (less(TX_GAS_PRICE, BLOCK_BASE_FEE)) setWord(TX_TIP, 0);
  else subtract(TX_TIP, TX_GAS_PRICE, BLOCK_BASE_FEE);
  const blobGas = <u64>load<u32>(TX_BLOB_COUNT) * load<u64>(BLOB_RULE);
  store<u64>(RESULT_BLOB_GAS, blobGas);
  multiplyBy(TX_BLOB_FEE, BLOCK_BLOB_FEE, isZero(TX_MAX_BLOB_FEE) ? 0 : blobGas);
}

function canPay(sender: usize, gas: u64): bool {
  if (multiplyBy(SCRATCH, TX_MAX_FEE, gas)) return false;
  if (add(SCRATCH, SCRATCH, TX_VALUE)) return false;
  if (multiplyBy(SCRATCH_2, TX_MAX_BLOB_FEE, load<u64>(RESULT_BLOB_GAS))) return false;
  return !add(SCRATCH, SCRATCH, SCRATCH_2) && !less(sender + BALANCE, SCRATCH);
}

/** @returns false when the access list is malformed */
function computeGas(creates: bool): bool {
  const data: usize = load<u32>(TX_DATA), n = load<u32>(TX_DATA_LENGTH);
  let zeros: i64 = 0;
  for (let i: u32 = 0; i < n; i++) zeros += i64(load<u8>(data + i) == 0);
  const others = <i64>n - zeros;
  const base = baseGas(), hasFloor = load<i64>(FLOOR_NONZERO_BYTE_RULE) != 0;
  intrinsicGas = base + load<i64>(ZERO_BYTE_RULE) * zeros + load<i64>(NONZERO_BYTE_RULE) * others
    + load<i64>(AUTHORIZATION_RULE) * <i64>load<u32>(TX_AUTHORIZATION_COUNT);
  if (creates) intrinsicGas += load<i64>(CREATION_RULE) + load<i64>(INIT_CODE_WORD_RULE) * wordsOf(n);
  floorGas = base + load<i64>(FLOOR_ZERO_BYTE_RULE) * zeros + load<i64>(FLOOR_NONZERO_BYTE_RULE) * others;
  if (creates) floorGas += load<i64>(FLOOR_CREATION_RULE);
  const perAccount = load<i64>(FLOOR_LISTED_ACCOUNT_RULE), perSlot = load<i64>(FLOOR_LISTED_SLOT_RULE);
  const end: usize = load<u32>(TX_ACCESS_LIST_END);
  startReading(load<u32>(TX_ACCESS_LIST), end);
  while (position < end && isValid) {
    nextList();
    const after = position;
    moveTo(item);
    nextBytes(20);
    nextList();
    if (position != after) return false;
    moveTo(item);
    intrinsicGas += load<i64>(LISTED_ACCOUNT_RULE) + perAccount;
    floorGas += perAccount;
    for (; position < after && isValid; intrinsicGas += load<i64>(LISTED_SLOT_RULE) + perSlot, floorGas += perSlot) nextBytes(32);
  }
  if (!hasFloor) floorGas = 0;
  return isValid;
}

/** The cost of the transaction at TX without data, lists, and charges for a creation. */
export function baseGas(): i64 {
  const gas = load<i64>(TRANSACTION_RULE);
  if (!load<u32>(TX_HAS_TO) || equal(TX_TO, TX_FROM)) return gas;
  return gas + load<i64>(RECIPIENT_RULE) + (isZero(TX_VALUE) ? 0 : load<i64>(TRANSFER_RULE));
}
