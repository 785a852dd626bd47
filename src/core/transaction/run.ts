// One transaction or call from its first check to its receipt: start(), then run() until it has ended.
import { access, isWarm } from '../state/warm.ts';
import { accessAccount, beginIndex } from '../state/accesses.ts';
import { accountAt, accountAtBytes, CODE, isEmpty, nextEpoch, NONCE, precompileAt } from '../state/accounts.ts';
import { multiplyBy } from '../memory/arithmetic.ts';
import { codeSource, precompileDone, runRecord, startFrame } from '../evm/calls.ts';
import { countEnd, counts, tellCounts } from '../evm/counts.ts';
import { beginCreation, createdAccount, runInitCode } from '../evm/creates.ts';
import { readAuthorizations, setDelegations } from './delegations.ts';
import { dropDestroyed, removeAccounts } from '../evm/destroyed.ts';
import { isFailure, settleFrame } from '../evm/end-frame.ts';
import { callBegins, callEnds } from '../evm/events.ts';
import { startMemory } from '../evm/evm-memory.ts';
import {
  CALL_VALUE, CALLER, charge, CREATES, frame, GAS, INPUT, INPUT_SIZE, JOURNAL_MARK, MEMORY, RESERVOIR_MARK, RETURN_AT, RETURN_SIZE,
  SELF, setFrame, SPILL, STATE_GAS_MARK, STATIC,
} from '../evm/frames.ts';
import {
  CALLS_PRECOMPILE, CREATE_COLLISION, DONE, MISSING, NONCE_OVERFLOW, NONE, OUT_OF_FUEL, OUT_OF_GAS,
  PRECOMPILE_FAILED, REVERTED, VALUE_OVERFLOW,
} from '../memory/halts.ts';
import { interpret } from '../evm/interpreter.ts';
import {
  addBalance, clearTouched, mark, revertTo, setNonce, subtractBalance, touch, transfer, warmAccount, warmSlot,
} from '../state/journal.ts';
import {
  BLOCK_COINBASE, FRAMES, GETS_RECEIPT, OUTSIDE_BLOCK, PRECOMPILE_GAS, PRECOMPILE_INPUT, PRECOMPILE_INPUT_LENGTH,
  PRECOMPILE_NUMBER, PRECOMPILE_OUTERMOST, RESULT_BLOB_GAS, RESULT_CREATED, RESULT_DATA, RESULT_DATA_LENGTH,
  RESULT_EMITTED_LOGS, RESULT_EXECUTION_GAS, RESULT_EXECUTION_GAS_USED, RESULT_GAS_BEFORE_REFUND, RESULT_GAS_USED, RESULT_HALT,
  RESULT_REFUND, RESULT_STATE_GAS,
  SCRATCH, SCRATCH_2, SYSTEM, TX_ACCESS_LIST,
  TX_ACCESS_LIST_END, TX_AUTHORIZATION_COUNT, TX_BLOB_FEE, TX_DATA, TX_DATA_LENGTH, TX_EXEMPT, TX_FROM,
  TX_GAS, TX_GAS_PRICE, TX_HAS_TO, TX_TIP, TX_TO, TX_VALUE,
} from '../memory/layout.ts';
import { dropLogs, logTransfer } from '../evm/logs.ts';
import { isAccountMissing, isCodeMissing } from '../trie/missing.ts';
import { addReceipt } from './receipts.ts';
import { resetSteps } from '../evm/steps.ts';
import { refund, setRefund } from '../evm/refund.ts';
import { chargeStateGas, reservoir, startStateGas, stateGasUsed } from '../evm/state-gas.ts';
import { clearReturned, returned, returnedSize } from '../evm/returned.ts';
import { item, moveTo, nextBytes, nextList, position, startReading } from '../memory/rlp.ts';
import { slotAt } from '../state/slots.ts';
import { firstStack } from '../evm/stacks.ts';
import { isTaken } from '../trie/state-root.ts';
import { findFault, floorGas, intrinsicGas } from './validity.ts';
import { copyWord, isZero, reverse, setWord } from '../memory/words.ts';
import {
  ACCOUNT_STATE_RULE, EIP_2780, EIP_3651, EIP_7778, MAX_EXECUTION_GAS_RULE, REFUND_DIVISOR_RULE, SYSTEM_RESERVOIR_RULE,
} from '../tables/rule.ts';

let sender: usize = 0;
let coinbase: usize = 0;
/** mark of the journal at the start of the transaction */
let transactionMark: u32 = 0;
/** mark of the journal, and reservoir, before the charges for delegations and the recipient (EIP-2780) */
let preparationMark: u32 = 0, preparationReservoir: i64 = 0;
/** gas of the outermost frame before the charges for the accounts that it needs (EIP-2780) */
let outermostGas: i64 = 0;
/** how the run ended before the interpreter was needed, or NONE */
let ended: i32 = NONE;

/**
 * Checks the transaction at TX, charges its sender and sets up its outermost frame.
 * @returns NONE: call run(); MISSING or NEEDS_SIGNER: nothing has changed, call start() again; below 0: see faults.ts
 */
export function start(): i32 {
  transactionMark = mark();
  const halt = begin();
  if (halt != NONE) revertTo(transactionMark);
  else callBegins(0, 0, load<u32>(frame, SELF), outermostGas, 0, 0, 0);
  return halt;
}

function begin(): i32 {
  nextEpoch();
  dropLogs(0);
  store<u32>(RESULT_EMITTED_LOGS, 0);
  clearTouched();
  dropDestroyed(0);
  setRefund(0);
  clearReturned();
  setFrame(FRAMES);
  if (TELLS_STEPS) resetSteps();
  ended = NONE;
  sender = accountAt(TX_FROM);
  coinbase = accountAt(BLOCK_COINBASE);
  if (isCodeMissing(sender) || isAccountMissing(coinbase)) return MISSING;
  const exempt = load<u32>(TX_EXEMPT);
  store<i64>(frame, 0, SPILL);
  if (exempt & SYSTEM) {
    preparationMark = mark();
    setGas(load<i64>(TX_GAS), load<i64>(SYSTEM_RESERVOIR_RULE));
    outermostGas = load<i64>(TX_GAS);
    return beginCall(accountAt(TX_TO));
  }
  beginIndex();
  if (load<u32>(TX_AUTHORIZATION_COUNT)) {
    const waits = readAuthorizations();
    if (waits != NONE) return waits;
  }
  const fault = findFault(sender);
  if (fault) return fault;
  if (!isWarm(sender)) warmAccount(sender);
  if (load<u32>(EIP_3651) && !isWarm(coinbase)) warmAccount(coinbase);
  warmAccessList();
  const nonce = load<u64>(sender, NONCE), creates = load<u32>(TX_HAS_TO) == 0;
  multiplyBy(SCRATCH, TX_GAS_PRICE, load<u64>(TX_GAS));
  subtractBalance(sender, SCRATCH);
  if (!isZero(TX_BLOB_FEE)) subtractBalance(sender, TX_BLOB_FEE);
  const overflows = creates && nonce == u64.MAX_VALUE;
  if (!overflows) setNonce(sender, nonce + 1);
  // The maximum nonce (set by a development method) wraps around to 0, which may leave the sender empty (EIP-161).
  if (nonce == u64.MAX_VALUE) touch(sender);
  preparationMark = mark();
  const rest = load<i64>(TX_GAS) - intrinsicGas;
  const gas = <i64>min<u64>(rest, load<u64>(MAX_EXECUTION_GAS_RULE) - intrinsicGas);
  setGas(gas, rest - gas);
  if (load<u32>(TX_AUTHORIZATION_COUNT)) {
    const halt = setDelegations(sender);
    if (halt == MISSING) return MISSING;
    if (halt == OUT_OF_GAS) {
      outermostGas = load<i64>(frame, GAS);
      startFrame(mark(), 0, firstStack());
      startMemory();
      beginFrame(accountAt(TX_TO), 0, 0);
      failPreparation();
      return NONE;
    }
  }
  outermostGas = load<i64>(frame, GAS);
  if (!creates) return beginCall(accountAt(TX_TO));
  startFrame(mark(), load<i64>(frame, GAS), firstStack());
  startMemory();
  store<u32>(frame, 1, CREATES);
  // Like geth, reports no gas used by the code of a creation that can't begin.
  if (overflows) {
    store<u32>(frame, 0, SELF);
    ended = NONCE_OVERFLOW;
    return NONE;
  }
  return beginCreate(createdAccount(sender, nonce));
}

function setGas(gas: i64, stateGas: i64): void {
  store<i64>(frame, gas, GAS);
  preparationReservoir = stateGas;
  startStateGas(stateGas);
}

/** Fails the transaction because the gas doesn't suffice for the charges before the first opcode; their effects are rolled back. */
function failPreparation(): void {
  store<u32>(frame, preparationMark, JOURNAL_MARK);
  store<i64>(frame, preparationReservoir, RESERVOIR_MARK);
  store<i64>(frame, 0, STATE_GAS_MARK);
  ended = OUT_OF_GAS;
}

function warmAccessList(): void {
  const end: usize = load<u32>(TX_ACCESS_LIST_END);
  startReading(load<u32>(TX_ACCESS_LIST), end);
  while (position < end) {
    nextList();
    const after = position;
    moveTo(item);
    const account = accountAtBytes(nextBytes(20));
    if (!isWarm(account)) warmAccount(account);
    nextList();
    moveTo(item);
    while (position < after) {
      reverse(SCRATCH, nextBytes(32));
      warmSlot(slotAt(account, SCRATCH));
    }
  }
}

/** Begins a call with the gas that is in the frame's record. */
function beginCall(to: usize): i32 {
  if (isCodeMissing(to)) return MISSING;
  const source = codeSource(to);
  if (source != to && isCodeMissing(source)) return MISSING;
  if (!isWarm(to)) warmAccount(to);
  startFrame(mark(), load<i64>(frame, GAS), firstStack());
  startMemory();
  beginFrame(to, load<u32>(TX_DATA), load<u32>(TX_DATA_LENGTH));
  const bringsIn = !isZero(TX_VALUE) && isEmpty(to);
  if (bringsIn && !chargeStateGas(load<i64>(ACCOUNT_STATE_RULE))) {
    failPreparation();
    return NONE;
  }
  accessAccount(to);
  if (source != to) {
    const cost = access(source);
    if (load<u32>(EIP_2780) && !charge(cost)) {
      failPreparation();
      return NONE;
    }
    accessAccount(source);
  }
  const gas = load<i64>(frame, GAS);
  // A system call doesn't touch its callee (EIP-4788).
  if (!(load<u32>(TX_EXEMPT) & SYSTEM)) touch(to);
  if (!isZero(TX_VALUE)) logTransfer(sender, to, TX_VALUE);
  if (transfer(sender, to, TX_VALUE)) {
    ended = VALUE_OVERFLOW;
    return NONE;
  }
  const precompile = precompileAt(to), record: usize = load<u32>(source, CODE);
  if (precompile) {
    store<u32>(PRECOMPILE_NUMBER, precompile);
    store<i64>(PRECOMPILE_GAS, gas);
    store<u32>(PRECOMPILE_INPUT, load<u32>(TX_DATA));
    store<u32>(PRECOMPILE_INPUT_LENGTH, load<u32>(TX_DATA_LENGTH));
    store<u32>(PRECOMPILE_OUTERMOST, 1);
    ended = CALLS_PRECOMPILE;
  } else if (record) runRecord(record);
  else ended = DONE;
  return NONE;
}

function beginCreate(created: usize): i32 {
  if (isAccountMissing(created)) return MISSING;
  if (!isWarm(created)) warmAccount(created);
  store<u32>(frame, mark(), JOURNAL_MARK);
  beginFrame(created, 0, 0);
  if (isEmpty(created) && !chargeStateGas(load<i64>(ACCOUNT_STATE_RULE))) {
    failPreparation();
    return NONE;
  }
  accessAccount(created);
  const n = load<u32>(TX_DATA_LENGTH);
  if (!isZero(TX_VALUE)) logTransfer(sender, created, TX_VALUE);
  if (isTaken(created)) ended = CREATE_COLLISION;
  else if (beginCreation(sender, created, TX_VALUE)) ended = VALUE_OVERFLOW;
  else if (n == 0) ended = DONE;
  else if (!runInitCode(load<u32>(TX_DATA), n)) ended = OUT_OF_GAS;
  return NONE;
}

function beginFrame(self: usize, input: usize, n: u32): void {
  store<u32>(frame, <u32>self, SELF);
  store<u32>(frame, <u32>sender, CALLER);
  store<u32>(frame, <u32>input, INPUT);
  store<u32>(frame, n, INPUT_SIZE);
  store<u32>(frame, 0, STATIC);
  copyWord(frame + CALL_VALUE, TX_VALUE);
}

/**
 * Runs until the transaction has ended, and settles it, or until the run has to pause.
 * @param fuel gas after which it is paused
 * @returns DONE: the result is at RESULT; otherwise the reason of the pause
 */
export function run(fuel: i64): i32 {
  const halt = ended == NONE ? interpret(fuel) : ended;
  if (halt >= OUT_OF_FUEL) return halt;
  settle(halt);
  return DONE;
}

/** Called when the host has run the precompile, with its output in the buffer of returned.ts. */
export function finishPrecompile(success: bool, cost: i64): void {
  const halt = success ? DONE : PRECOMPILE_FAILED;
  if (!load<u32>(PRECOMPILE_OUTERMOST)) {
    precompileDone(halt, cost);
    return;
  }
  ended = halt;
  if (success) store<i64>(frame, load<i64>(frame, GAS) - cost, GAS);
}

/**
 * Adds a deposit of the OP Stack that can't begin to the open block: since Regolith it counts as failed, and uses all its gas.
 * @param inBlock 0: only increments the sender's nonce
 */
export function failDeposit(inBlock: u32): void {
  const sender = accountAt(TX_FROM), nonce = load<u64>(sender, NONCE);
  setNonce(sender, nonce + 1);
  dropLogs(0);
  store<u32>(RESULT_EMITTED_LOGS, 0);
  store<u32>(RESULT_HALT, OUT_OF_GAS);
  // The address that the contract would have had, as for creations that fail later.
  store<u32>(RESULT_CREATED, load<u32>(TX_HAS_TO) ? 0 : <u32>createdAccount(sender, nonce));
  store<u32>(RESULT_DATA_LENGTH, 0);
  store<i64>(RESULT_GAS_USED, load<i64>(TX_GAS));
  store<i64>(RESULT_GAS_BEFORE_REFUND, load<i64>(TX_GAS));
  store<u64>(RESULT_BLOB_GAS, 0);
  store<i64>(RESULT_EXECUTION_GAS, load<i64>(TX_GAS));
  store<i64>(RESULT_STATE_GAS, 0);
  setWord(TX_GAS_PRICE, 0);
  if (inBlock) addReceipt(false, load<i64>(TX_GAS), 0);
}

function settle(endedWith: i32): void {
  setFrame(FRAMES);
  const wasPrecompile = ended != NONE;
  const halt = settleFrame(endedWith);
  if (TELLS_STEPS && counts) {
    countEnd(isFailure(halt));
    tellCounts();
  }
  const creates = load<u32>(frame, CREATES) != 0;
  store<u32>(RESULT_HALT, halt);
  // A creation that couldn't begin has no address.
  store<u32>(RESULT_CREATED, creates && halt != NONCE_OVERFLOW ? load<u32>(frame, SELF) : 0);
  const hasOutput = halt == DONE || halt == REVERTED;
  const output = wasPrecompile ? returned() : <usize>load<u32>(frame, MEMORY) + load<u32>(frame, RETURN_AT);
  store<u32>(RESULT_DATA, <u32>output);
  store<u32>(RESULT_DATA_LENGTH, !hasOutput ? 0 : wasPrecompile ? returnedSize : load<u32>(frame, RETURN_SIZE));
  callEnds(halt, load<i64>(frame, GAS), load<u32>(RESULT_DATA), load<u32>(RESULT_DATA_LENGTH));
  const limit = load<i64>(TX_GAS);
  if (load<u32>(TX_EXEMPT) & SYSTEM) {
    const spent = limit - load<i64>(frame, GAS);
    store<i64>(RESULT_GAS_BEFORE_REFUND, spent);
    store<i64>(RESULT_GAS_USED, spent);
    removeAccounts(transactionMark);
    return;
  }
  const before = limit - (halt == NONCE_OVERFLOW ? limit - intrinsicGas : load<i64>(frame, GAS) + reservoir);
  store<i64>(RESULT_GAS_BEFORE_REFUND, max(before, floorGas));
  // EIP-3529, EIP-7623
  const refunded = min(refund, before / load<i64>(REFUND_DIVISOR_RULE)), used = max(before - refunded, floorGas);
  store<i64>(RESULT_GAS_USED, used);
  const stateGas = max<i64>(0, stateGasUsed);
  store<i64>(RESULT_STATE_GAS, stateGas);
  store<i64>(RESULT_EXECUTION_GAS_USED, before - stateGas);
  store<i64>(RESULT_REFUND, refunded);
  store<i64>(RESULT_EXECUTION_GAS, load<u32>(EIP_7778) ? max(before - stateGas, floorGas) : used);
  multiplyBy(SCRATCH, TX_GAS_PRICE, limit - used);
  if (!isZero(SCRATCH)) addBalance(sender, SCRATCH);
  multiplyBy(SCRATCH_2, TX_TIP, used);
  touch(coinbase);
  accessAccount(coinbase);
  if (!isZero(SCRATCH_2)) addBalance(coinbase, SCRATCH_2);
  removeAccounts(transactionMark);
  const exempt = load<u32>(TX_EXEMPT);
  if (!(exempt & OUTSIDE_BLOCK) || exempt & GETS_RECEIPT)
    addReceipt(!isFailure(halt), used, load<u64>(RESULT_BLOB_GAS));
}

