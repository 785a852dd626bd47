// CREATE and CREATE2, and the end of a creation.
import { GONE } from '../state/entries.ts';
import { isWarm } from '../state/warm.ts';
import { accessAccount } from '../state/accesses.ts';
import {
  accountAtBytes, ADDRESS, BALANCE, CREATED, epoch, isEmpty, KEPT, NONCE, STORAGE_LOADED, writeAddress,
} from '../state/accounts.ts';
import { allButOne64th, pushFrame } from './calls.ts';
import { countInitCode, countNothing, counts } from './counts.ts';
import { codeRecord, findJumps, jumpBytes, PADDING } from '../state/codes.ts';
import { callBegins, callEnds, callRefused, mentionsAccount, tellsTouches } from './events.ts';
import { expandTo, inMemory, isInMemory, reserve, usedTo } from './evm-memory.ts';
import {
  ACCOUNT_CHARGE, CALL_VALUE, CALLER, charge, CODE_AT, CODE_SIZE, CREATES, depth, drop, frame, GAS, giveGas, INPUT_SIZE,
  JUMPS_AT, LOG_MARK, MEMORY, operand, pushed, RETURN_AT, RETURN_SIZE, SELF, STATIC, wordsOf,
} from './frames.ts';
import {
  CODE_TOO_LARGE, CREATE_COLLISION, DONE, INIT_CODE_TOO_LARGE, INVALID_CODE, MISSING, NONE, OUT_OF_GAS,
  STATIC_STATE_CHANGE, VALUE_OVERFLOW, WAITS,
} from '../memory/halts.ts';
import { mark, revertTo, saveNonce, setCodeRecord, setNonce, transfer, warmAccount } from '../state/journal.ts';
import { keccak } from '../memory/keccak.ts';
import { HASHED, MAX_DEPTH, RULES_MAX_CODE, SCRATCH, VALUE_BUFFER } from '../memory/layout.ts';
import { chargedWords, probes, tellStep } from './steps.ts';
import { dropLogs, logMark, logTransfer } from './logs.ts';
import { isAccountMissing } from '../trie/missing.ts';
import { clearReturned } from './returned.ts';
import { chargeStateGas, returnStateGas } from './state-gas.ts';
import { beginList, endList, writeInteger, writeString, written } from '../memory/rlp.ts';
import { isTaken } from '../trie/state-root.ts';
import { copyWord, isZero, less, reverse, setWord } from '../memory/words.ts';
import { Op } from '../tables/op.ts';
import {
  ACCOUNT_STATE_RULE, CODE_BYTE_RULE, CODE_STATE_RULE, CODE_WORD_RULE, CREATE_RULE, EIP_161, EIP_2, EIP_3541, EIP_3860, HASH_WORD_RULE, INIT_CODE_WORD_RULE,
} from '../tables/rule.ts';

/** Code that consists of ADDRESS: a frame that runs it without gas fails with out of gas. */
const EXPENSIVE: usize = memory.data<u8>([0x30]);
/** EIP-3541: reserved for the EVM Object Format */
const RESERVED_BYTE: u32 = 0xef;

/** EIP-3860 */
export function maxInitCode(): u32 {
  return load<u32>(EIP_3860) ? load<u32>(RULES_MAX_CODE) << 1 : u32.MAX_VALUE;
}

/** The account that a creation with this nonce creates. */
export function createdAccount(creator: usize, nonce: u64): usize {
  writeAddress(SCRATCH, creator);
  beginList(VALUE_BUFFER);
  writeString(SCRATCH, 20);
  writeInteger(nonce);
  const start = endList(VALUE_BUFFER);
  keccak(HASHED, start, <u32>(written - start));
  return accountAtBytes(HASHED + 12);
}

/** EIP-1014 */
function createdWithSalt(creator: usize, salt: usize, code: usize, n: u32): usize {
  store<u8>(VALUE_BUFFER, 0xff);
  writeAddress(VALUE_BUFFER + 1, creator);
  reverse(VALUE_BUFFER + 21, salt);
  keccak(VALUE_BUFFER + 53, code, n);
  keccak(HASHED, VALUE_BUFFER, 85);
  return accountAtBytes(HASHED + 12);
}

/** The account that CREATE or CREATE2 of the current frame creates. The init code has to be in the frame's memory. */
function createdBy(opcode: u32, offset: usize, size: usize): usize {
  const self: usize = load<u32>(frame, SELF);
  return opcode == Op.CREATE2
    ? createdWithSalt(self, operand(4), inMemory(offset, size), load<u32>(size))
    : createdAccount(self, load<u64>(self, NONCE));
}

export function create(opcode: u32): i32 {
  // The account is reported to the host even if the opcode fails later.
  const isMentioned = tellsTouches() && (opcode != Op.CREATE2 || isInMemory(operand(2), operand(3)));
  if (isMentioned) mentionsAccount(createdBy(opcode, operand(2), operand(3)));
  if (load<u32>(frame, STATIC)) return STATIC_STATE_CHANGE;
  const value = operand(1), offset = operand(2), size = operand(3);
  const halt = expandTo(offset, size);
  if (halt) return halt;
  const n = load<u32>(size), words = chargedWords(size, n);
  if (tellsTouches() && !isMentioned && !(TELLS_STEPS && probes)) mentionsAccount(createdBy(opcode, offset, size));
  const perWord = load<i64>(INIT_CODE_WORD_RULE) + (opcode == Op.CREATE2 ? load<i64>(HASH_WORD_RULE) : 0);
  const cost = load<i64>(CREATE_RULE) + words * perWord;
  if (load<i64>(frame, GAS) < cost) return OUT_OF_GAS;
  if (TELLS_STEPS && (probes || n > maxInitCode())) {
    charge(cost);
    return probes ? WAITS : INIT_CODE_TOO_LARGE;
  }
  if (n > maxInitCode()) return INIT_CODE_TOO_LARGE;
  const self: usize = load<u32>(frame, SELF), code = inMemory(offset, size);
  const created = createdBy(opcode, offset, size);
  if (isAccountMissing(created)) return MISSING;
  charge(cost);
  const isTooDeep = depth() >= MAX_DEPTH, isTooPoor = less(self + BALANCE, value);
  const isRefused = isTooDeep || isTooPoor || load<i64>(self, NONCE) == -1;
  const accountCharge = isEmpty(created) ? load<i64>(ACCOUNT_STATE_RULE) : 0, pays = chargeStateGas(accountCharge);
  // A refused creation hasn't accessed the account.
  if (!isRefused || !pays) accessAccount(created);
  if (!pays) return OUT_OF_GAS;
  if (TELLS_STEPS && tellStep()) return WAITS;
  const gas = allButOne64th(load<i64>(frame, GAS));
  charge(gas);
  drop(opcode == Op.CREATE2 ? 4 : 3);
  clearReturned();
  if (isRefused) {
    if (isTooDeep || isTooPoor) callRefused(isTooDeep, opcode, self, created, gas, code, n, value);
    giveGas(gas);
    returnStateGas(accountCharge);
    setWord(pushed(), 0);
    return NONE;
  }
  setNonce(self, load<u64>(self, NONCE) + 1);
  // EIP-2929: the account stays warm even if the creation fails.
  if (!isWarm(created)) warmAccount(created);
  callBegins(opcode, self, created, gas, code, n, value);
  const before = mark(), logsBefore = logMark();
  if (!isZero(value)) logTransfer(self, created, value);
  const taken = isTaken(created);
  if (taken || beginCreation(self, created, value)) {
    revertTo(before);
    dropLogs(logsBefore);
    returnStateGas(accountCharge);
    callEnds(taken ? CREATE_COLLISION : VALUE_OVERFLOW, 0, 0, 0);
    setWord(pushed(), 0);
    return NONE;
  }
  if (n == 0) {
    callEnds(DONE, gas, 0, 0);
    giveGas(gas);
    copyWord(pushed(), created + ADDRESS);
    return NONE;
  }
  pushFrame(before, gas);
  store<u32>(frame, logsBefore, LOG_MARK);
  store<i64>(frame, accountCharge, ACCOUNT_CHARGE);
  if (!runInitCode(code, n)) {
    // Fails the frame as if the memory for its code couldn't be paid.
    store<u32>(frame, <u32>EXPENSIVE, CODE_AT);
    store<i64>(frame, 0, GAS);
    store<u32>(frame, 1, CREATES);
    if (TELLS_STEPS && counts) countNothing();
  }
  store<u32>(frame, <u32>created, SELF);
  store<u32>(frame, <u32>self, CALLER);
  copyWord(frame + CALL_VALUE, value);
  return NONE;
}

/** Initializes the account of a contract. @returns true when its balance would overflow */
export function beginCreation(creator: usize, created: usize, value: usize): bool {
  saveNonce(created);
  const hasNonce = load<u32>(EIP_161);
  store<u64>(created, hasNonce, NONCE);
  store<u32>(created, hasNonce ^ 1, KEPT);
  store<u32>(created, epoch, CREATED);
  // A new account has no storage, so none has to be fetched. (But storage that was removed before may be restored by a revert.)
  if (!load<u32>(created, GONE)) store<u32>(created, 1, STORAGE_LOADED);
  return transfer(creator, created, value);
}

/**
 * Makes the current frame run a copy of init code, followed by zeros and the bitmap of its jump targets. The frame's memory begins after
 * them.
 * @returns false when there is no room
 */
export function runInitCode(code: usize, n: u32): bool {
  // PUSH reads the 32 bytes that end with its constant.
  if (!reserve(32 + n + PADDING + jumpBytes(n) + 32)) return false;
  const copy = <usize>load<u32>(frame, MEMORY) + 32, jumps = copy + n + PADDING;
  const end = (jumps + jumpBytes(n) + 31) & ~31;
  memory.copy(copy, code, n);
  memory.fill(copy + n, 0, <u32>(end - copy) - n);
  findJumps(copy, n, jumps);
  store<u32>(frame, <u32>copy, CODE_AT);
  store<u32>(frame, n, CODE_SIZE);
  store<u32>(frame, <u32>jumps, JUMPS_AT);
  store<u32>(frame, <u32>end, MEMORY);
  usedTo(end);
  store<u32>(frame, 0, INPUT_SIZE);
  store<u32>(frame, 0, STATIC);
  store<u32>(frame, 1, CREATES);
  if (TELLS_STEPS && counts) countInitCode();
  return true;
}

/** Stores the code that the init code has returned. */
export function depositCode(account: usize): i32 {
  const n = load<u32>(frame, RETURN_SIZE), code: usize = load<u32>(frame, MEMORY) + load<u32>(frame, RETURN_AT);
  if (n == 0) return DONE;
  if (n > load<u32>(RULES_MAX_CODE)) return CODE_TOO_LARGE;
  const cost = load<i64>(CODE_BYTE_RULE) * <i64>n + load<i64>(CODE_WORD_RULE) * wordsOf(n);
  if (load<i64>(frame, GAS) < cost) {
    if (load<u32>(EIP_2)) return OUT_OF_GAS;
    // In Frontier the contract is created without code.
    store<u32>(frame, 0, RETURN_SIZE);
    return DONE;
  }
  if (<u32>load<u8>(code) == RESERVED_BYTE && load<u32>(EIP_3541)) return INVALID_CODE;
  charge(cost);
  if (!chargeStateGas(load<i64>(CODE_STATE_RULE) * <i64>n)) return OUT_OF_GAS;
  const record = codeRecord(code, n);
  setCodeRecord(account, record, HASHED);
  return DONE;
}

