// CALL, CALLCODE, DELEGATECALL, STATICCALL: a call either pushes a frame or completes immediately.
import { CODE_BYTES, CODE_LENGTH, DELEGATES, JUMPS } from '../state/entries.ts';
import { access } from '../state/warm.ts';
import { accessAccount } from '../state/accesses.ts';
import { accountAt, accountAtBytes, ADDRESS, BALANCE, CODE, exists, isEmpty, precompileAt } from '../state/accounts.ts';
import { counts, countRecord } from './counts.ts';
import { destroyedMark } from './destroyed.ts';
import { accessesAccount, callBegins, callEnds, callRefused, mentionsAccount, tellsTouches } from './events.ts';
import { expandTo, inMemory } from './evm-memory.ts';
import {
  ACCOUNT_CHARGE, CALL_VALUE, CALLER, charge, CODE_AT, CODE_SIZE, CREATES, depth, DESTROYED_MARK, drop, frame, GAS, giveGas,
  INPUT, INPUT_SIZE, JOURNAL_MARK, JUMPS_AT, LOG_MARK, MEMORY, MEMORY_LIMIT, MEMORY_SIZE, operand, OUT,
  OUT_SIZE, PC, pushed, REFUND_MARK, RETURN_SIZE, SELF, setFrame, STACK, STATIC, TOP, wordsOf,
} from './frames.ts';
import {
  CALLS_PRECOMPILE, DONE, MISSING, NONE, OUT_OF_GAS, STATIC_STATE_CHANGE, VALUE_OVERFLOW, WAITS,
} from '../memory/halts.ts';
import { mark, revertTo, touch, transfer } from '../state/journal.ts';
import {
  CONSOLE, CONSOLE_CALLER, FRAME_SIZE, MAX_DEPTH, PRECOMPILE_ACCOUNT_CHARGE, PRECOMPILE_GAS, PRECOMPILE_INPUT, PRECOMPILE_INPUT_LENGTH,
  PRECOMPILE_LOG_MARK, PRECOMPILE_MARK,
  PRECOMPILE_NUMBER, PRECOMPILE_OUT, PRECOMPILE_OUT_LENGTH, PRECOMPILE_OUTERMOST, RULES_CONSOLE,
} from '../memory/layout.ts';
import { dropLogs, logMark, logTransfer } from './logs.ts';
import { isCodeMissing } from '../trie/missing.ts';
import { refund } from './refund.ts';
import { clearReturned, returned, returnedSize, setReturned } from './returned.ts';
import { chargeStateGas, markStateGas, returnStateGas } from './state-gas.ts';
import { tellCall } from './steps.ts';
import { stackBehind } from './stacks.ts';
import { copyWord, isZero, less, setWord, upper } from '../memory/words.ts';
import { Op } from '../tables/op.ts';
import {
  ACCOUNT_STATE_RULE, CALL_STIPEND_RULE, CALL_WITH_VALUE_RULE, EIP_161, EIP_7702, IDENTITY_RULE, IDENTITY_WORD_RULE, KEPT_PART_RULE, NEW_ACCOUNT_RULE,
} from '../tables/rule.ts';

const IDENTITY: u32 = 4;

/** EIP-150: the maximum gas that a caller can pass on. */
/* @inline */ export function allButOne64th(gas: i64): i64 {
  const part = load<i64>(KEPT_PART_RULE);
  return part ? gas - gas / part : gas;
}

/** EIP-7702: whether a call of this account runs the code to which it delegates. An account may delegate to itself. */
function isDelegated(account: usize): bool {
  const record: usize = load<u32>(account, CODE);
  return record >= 2 && load<u32>(record, DELEGATES) != 0 && load<u32>(EIP_7702) != 0;
}

/** EIP-7702: the delegation target of an account that delegates. */
function delegateOf(account: usize): usize {
  return accountAtBytes(<usize>load<u32>(account, CODE) + CODE_BYTES + 3);
}

/** EIP-7702: the account whose code runs when this account is called. */
export function codeSource(account: usize): usize {
  return isDelegated(account) ? delegateOf(account) : account;
}

export function call(opcode: u32): i32 {
  if (tellsTouches()) mentionsAccount(accountAt(operand(2)));
  const carriesValue = opcode == Op.CALL || opcode == Op.CALLCODE;
  const value = operand(3), rest: usize = carriesValue ? 4 : 3;
  const hasValue = carriesValue && !isZero(value);
  if (opcode == Op.CALL && hasValue && load<u32>(frame, STATIC)) return STATIC_STATE_CHANGE;
  if (tellsTouches()) accessesAccount(accountAt(operand(2)));
  const input = operand(rest), inputSize = operand(rest + 1), out = operand(rest + 2), outSize = operand(rest + 3);
  let halt = expandTo(input, inputSize);
  if (halt) return halt;
  halt = expandTo(out, outSize);
  if (halt) return halt;
  const to = accountAt(operand(2));
  if (isCodeMissing(to)) return MISSING;
  const delegates = isDelegated(to), source = delegates ? delegateOf(to) : to;
  if (delegates) {
    accessesAccount(source);
    if (isCodeMissing(source)) return MISSING;
  }

  let cost = access(to);
  if (hasValue) cost += load<i64>(CALL_WITH_VALUE_RULE);
  // EIP-7928: an account counts as accessed when this cost can be paid.
  if (load<i64>(frame, GAS) < cost) return chargeAll(cost);
  accessAccount(to);
  const isNew = opcode == Op.CALL && (load<u32>(EIP_161) ? hasValue && isEmpty(to) : !exists(to));
  if (isNew) cost += load<i64>(NEW_ACCOUNT_RULE);
  if (delegates) cost += access(source);
  if (!charge(cost)) return OUT_OF_GAS;
  if (delegates) accessAccount(source);
  const accountCharge = isNew ? load<i64>(ACCOUNT_STATE_RULE) : 0;
  if (!chargeStateGas(accountCharge)) return OUT_OF_GAS;
  const available = allButOne64th(load<i64>(frame, GAS)), asked = operand(1);
  const isTooMuch = upper(asked) != 0 || load<u64>(asked) > <u64>available;
  // Before EIP-150 a frame needed all the gas that it wanted to pass on.
  if (isTooMuch && !load<i64>(KEPT_PART_RULE)) return OUT_OF_GAS;
  let gas = isTooMuch ? available : load<i64>(asked);
  if (TELLS_STEPS && tellCall(gas)) return WAITS;
  charge(gas);
  if (hasValue) gas += load<i64>(CALL_STIPEND_RULE);

  const from = inMemory(input, inputSize), n = load<u32>(inputSize);
  const outAt = load<u32>(outSize) ? load<u32>(out) : 0, outN = load<u32>(outSize);
  drop(<u32>rest + 3);
  clearReturned();
  const self: usize = load<u32>(frame, SELF), isTooDeep = depth() >= MAX_DEPTH;
  const shownValue = opcode == Op.DELEGATECALL ? frame + CALL_VALUE : value;
  if (isTooDeep || (hasValue && less(self + BALANCE, value))) {
    callRefused(isTooDeep, opcode, self, to, gas, from, n, shownValue);
    giveGas(gas);
    returnStateGas(accountCharge);
    setWord(pushed(), 0);
    return NONE;
  }
  callBegins(opcode, self, to, gas, from, n, shownValue);
  const before = mark(), logsBefore = logMark();
  if (opcode == Op.CALL || opcode == Op.STATICCALL) touch(to);
  if (opcode == Op.CALL && hasValue) {
    logTransfer(self, to, value);
    if (transfer(self, to, value)) {
      // The balance would exceed 256 bits: the call fails and consumes all its gas.
      revertTo(before);
      dropLogs(logsBefore);
      returnStateGas(accountCharge);
      callEnds(VALUE_OVERFLOW, 0, 0, 0);
      setWord(pushed(), 0);
      return NONE;
    }
  }
  store<u32>(PRECOMPILE_LOG_MARK, logsBefore);
  store<i64>(PRECOMPILE_ACCOUNT_CHARGE, accountCharge);
  const precompile = precompileAt(to);
  if (precompile) return callPrecompile(precompile, gas, from, n, outAt, outN, before);
  // A delegation to a precompile runs no code (EIP-7702).
  const record: usize = load<u32>(source, CODE);
  if (!record) {
    if ((opcode == Op.CALL || opcode == Op.STATICCALL) && load<u32>(RULES_CONSOLE) && isConsole(to)) {
      store<u32>(CONSOLE_CALLER, <u32>self);
      return callPrecompile(CONSOLE, gas, from, n, outAt, outN, before);
    }
    callEnds(DONE, gas, 0, 0);
    giveGas(gas);
    setWord(pushed(), 1);
    return NONE;
  }
  const caller = frame;
  pushFrame(before, gas);
  store<u32>(frame, logsBefore, LOG_MARK);
  store<i64>(frame, accountCharge, ACCOUNT_CHARGE);
  runRecord(record);
  store<u32>(frame, <u32>from, INPUT);
  store<u32>(frame, n, INPUT_SIZE);
  store<u32>(frame, outAt, OUT);
  store<u32>(frame, outN, OUT_SIZE);
  store<u32>(frame, load<u32>(caller, STATIC) | u32(opcode == Op.STATICCALL), STATIC);
  if (opcode == Op.DELEGATECALL) {
    store<u32>(frame, <u32>self, SELF);
    store<u32>(frame, load<u32>(caller, CALLER), CALLER);
    copyWord(frame + CALL_VALUE, caller + CALL_VALUE);
    return NONE;
  }
  store<u32>(frame, <u32>(opcode == Op.CALLCODE ? self : to), SELF);
  store<u32>(frame, <u32>self, CALLER);
  if (carriesValue) copyWord(frame + CALL_VALUE, value);
  else setWord(frame + CALL_VALUE, 0);
  return NONE;
}

/** Charges more gas than there is. */
function chargeAll(cost: i64): i32 {
  charge(cost);
  return OUT_OF_GAS;
}

/** Whether the account has the address `console.log` in ASCII, which console.sol calls. */
export function isConsole(account: usize): bool {
  return load<u64>(account, ADDRESS) == 0x736f6c652e6c6f67 && load<u64>(account, ADDRESS + 8) == 0x636f6e
    && load<u32>(account, ADDRESS + 16) == 0;
}

/** Pushes a frame. Its stack follows the stack of its caller, which is paused meanwhile. */
export function pushFrame(journalMark: u32, gas: i64): void {
  const caller = frame;
  setFrame(caller + FRAME_SIZE);
  startFrame(journalMark, gas, stackBehind(caller));
  store<u32>(frame, load<u32>(caller, MEMORY) + load<u32>(caller, MEMORY_SIZE), MEMORY);
  store<u32>(frame, load<u32>(caller, MEMORY_LIMIT), MEMORY_LIMIT);
}

export function startFrame(journalMark: u32, gas: i64, stack: usize): void {
  store<i64>(frame, gas, GAS);
  store<u32>(frame, <u32>stack, STACK);
  store<u32>(frame, <u32>stack, TOP);
  store<u32>(frame, 0, PC);
  store<u32>(frame, 0, MEMORY_SIZE);
  store<u32>(frame, 0, CREATES);
  store<u32>(frame, 0, RETURN_SIZE);
  store<u32>(frame, journalMark, JOURNAL_MARK);
  store<u32>(frame, logMark(), LOG_MARK);
  store<u32>(frame, destroyedMark(), DESTROYED_MARK);
  store<i64>(frame, refund, REFUND_MARK);
  store<i64>(frame, 0, ACCOUNT_CHARGE);
  markStateGas();
}

export function runRecord(record: usize): void {
  store<u32>(frame, <u32>(record + CODE_BYTES), CODE_AT);
  store<u32>(frame, load<u32>(record, CODE_LENGTH), CODE_SIZE);
  store<u32>(frame, load<u32>(record, JUMPS), JUMPS_AT);
  if (TELLS_STEPS && counts) countRecord(record);
}

function callPrecompile(number: u32, gas: i64, from: usize, n: u32, out: u32, outSize: u32, before: u32): i32 {
  store<i64>(PRECOMPILE_GAS, gas);
  store<u32>(PRECOMPILE_NUMBER, number);
  store<u32>(PRECOMPILE_INPUT, <u32>from);
  store<u32>(PRECOMPILE_INPUT_LENGTH, n);
  store<u32>(PRECOMPILE_OUT, out);
  store<u32>(PRECOMPILE_OUT_LENGTH, outSize);
  store<u32>(PRECOMPILE_MARK, before);
  store<u32>(PRECOMPILE_OUTERMOST, 0);
  if (number != IDENTITY) return CALLS_PRECOMPILE;
  const cost = load<i64>(IDENTITY_RULE) + load<i64>(IDENTITY_WORD_RULE) * wordsOf(n);
  if (cost <= gas) setReturned(from, n);
  precompileDone(cost <= gas ? DONE : OUT_OF_GAS, cost);
  return NONE;
}

/** Ends a call of a precompile by contract code. The output is in the buffer of returned.ts. */
export function precompileDone(halt: i32, cost: i64): void {
  if (halt != DONE) {
    clearReturned();
    revertTo(load<u32>(PRECOMPILE_MARK));
    dropLogs(load<u32>(PRECOMPILE_LOG_MARK));
    returnStateGas(load<i64>(PRECOMPILE_ACCOUNT_CHARGE));
    callEnds(halt, 0, 0, 0);
    setWord(pushed(), 0);
    return;
  }
  const gasLeft = load<i64>(PRECOMPILE_GAS) - cost;
  callEnds(DONE, gasLeft, returned(), returnedSize);
  giveGas(gasLeft);
  passOutput(load<u32>(PRECOMPILE_OUT), load<u32>(PRECOMPILE_OUT_LENGTH));
  setWord(pushed(), 1);
}

/** Copies a callee's output to the memory range that the caller has specified. */
export function passOutput(out: u32, outSize: u32): void {
  memory.copy(load<u32>(frame, MEMORY) + out, returned(), min(outSize, returnedSize));
}

