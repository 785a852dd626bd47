// Steps: the report of each opcode to the host. Only in the second build of these sources, in which the constant TELLS_STEPS is set:
// scripts/build-core.mjs. In the first build the compiler omits all code that depends on that constant.
//
// A step is reported when the gas of its opcode is charged, and nothing else has happened: the operands are still on the stack (or just
// beyond its end), the memory has at most been expanded with zeros, and the state is that before the opcode. The host reads the values that
// it needs at STEP. If it has to wait first, the opcode is rolled back, and runs again later. In a counted run (counts.ts) the host gets no
// reports.
import { countGas, countRun, counts, resetCounts } from './counts.ts';
import {
  CALL_VALUE, CALLER, CODE_AT, CODE_SIZE, depth, frame, GAS, INPUT, INPUT_SIZE, MEMORY, MEMORY_SIZE, PC, SELF, SPILL, STACK, TOP,
  wordsOf,
} from './frames.ts';
import { NONE } from '../memory/halts.ts';
import { mark, revertTo } from '../state/journal.ts';
import {
  STEP_CALLER, STEP_CODE, STEP_CODE_SIZE, STEP_COST, STEP_DEPTH, STEP_FAULT, STEP_GAS, STEP_INPUT, STEP_INPUT_SIZE, STEP_MEMORY,
  STEP_MEMORY_SIZE, STEP_OPCODE, STEP_PASSED_GAS, STEP_PC, STEP_REFUND, STEP_REFUND_BEFORE, STEP_RESERVOIR, STEP_RETURNED, STEP_RETURNED_SIZE,
  STEP_SELF, STEP_SLOT, STEP_STACK, STEP_STATE_COST, STEP_TOP, STEP_VALUE,
} from '../memory/layout.ts';
import { returned, returnedSize } from './returned.ts';
import { reservoir, restoreStateGas, stateGasUsed } from './state-gas.ts';

/** Called before an opcode takes effect. @returns 1 when the run has to wait first */
/* @external("host", "step") */ declare function hostStep(): u32;
/**
 * Called when the code of the current frame has ended, before anything is rolled back.
 * @param hasStep 1 = the code ended by an opcode that couldn't run, and that hasn't been reported to the host yet
 * @returns 1 when the run has to wait first
 */
/* @external("host", "codeEnds") */ declare function hostCodeEnds(halt: i32, hasStep: u32): u32;

/** before the opcode: state gas used, and the part of the current frame's gas that was used as state gas */
let stateGasBefore: i64 = 0, spillBefore: i64 = 0;
/** whether the current opcode has been reported to the host */
let isTold: bool = false;
/** whether that opcode runs again, because it had to wait or because state was missing */
let runsAgain: bool = false;
/** mark of the journal before the opcode */
let before: u32 = 0;
/** how the code of the current frame has ended, while the host waits for a listener because of that; otherwise NONE */
let waitingEnd: i32 = NONE;
/** whether an opcode runs only to determine its cost: see step-ends.ts */
export let probes: bool = false;
/** size in bytes that the memory would have, while an opcode runs only to determine its cost: the memory isn't really expanded */
export let probedSize: u64 = 0;

/** Initializes the variables when a run begins: an earlier run may have been aborted while it waited. */
export function resetSteps(): void {
  resetCounts();
  isTold = runsAgain = probes = false;
  waitingEnd = NONE;
}

export function setProbes(on: bool): void {
  probes = on;
  probedSize = load<u32>(frame, MEMORY_SIZE);
}

export function setProbedSize(bytes: u64): void {
  probedSize = bytes;
}

/**
 * The number of words for which an opcode is charged.
 * @param size pointer to the size in bytes, on the stack
 * @param n its lower 32 bits: the whole size, if the opcode takes effect
 */
/* @inline */ export function chargedWords(size: usize, n: u32): i64 {
  return TELLS_STEPS && probes ? (load<i64>(size) + 31) >> 5 : wordsOf(n);
}

/** Called when an opcode of the current frame begins. @param refund the run's refund counter */
export function beginStep(opcode: u32, pc: usize, top: usize, gas: i64, refund: i64): void {
  isTold = runsAgain;
  runsAgain = false;
  before = mark();
  store<u32>(STEP_PC, <u32>pc);
  store<u32>(STEP_TOP, <u32>top);
  store<u32>(STEP_MEMORY_SIZE, load<u32>(frame, MEMORY_SIZE));
  store<i64>(STEP_GAS, gas);
  store<i64>(STEP_RESERVOIR, reservoir);
  stateGasBefore = stateGasUsed;
  spillBefore = load<i64>(frame, SPILL);
  if (counts) {
    countGas(pc, gas);
    return;
  }
  store<u32>(STEP_OPCODE, opcode);
  store<u32>(STEP_DEPTH, <u32>depth());
  store<u32>(STEP_STACK, load<u32>(frame, STACK));
  store<u32>(STEP_MEMORY, load<u32>(frame, MEMORY));
  store<u32>(STEP_SELF, load<u32>(frame, SELF));
  store<u32>(STEP_CALLER, load<u32>(frame, CALLER));
  store<u32>(STEP_VALUE, <u32>(frame + CALL_VALUE));
  store<u32>(STEP_CODE, load<u32>(frame, CODE_AT));
  store<u32>(STEP_CODE_SIZE, load<u32>(frame, CODE_SIZE));
  store<u32>(STEP_INPUT, load<u32>(frame, INPUT));
  store<u32>(STEP_INPUT_SIZE, load<u32>(frame, INPUT_SIZE));
  store<u32>(STEP_RETURNED, <u32>returned());
  store<u32>(STEP_RETURNED_SIZE, returnedSize);
  store<i64>(STEP_REFUND_BEFORE, refund);
}

/** Gas left before the opcode. */
export function gasOfStep(): i64 {
  return load<i64>(STEP_GAS);
}

/** How much of the frame's regular gas the opcode has used as state gas (EIP-8037). */
export function spillOfStep(): i64 {
  return load<i64>(frame, SPILL) - spillBefore;
}

/** Rolls back the opcode's effects so far: it will run again. */
export function rollBackStep(): void {
  runsAgain = isTold;
  undoStep();
}

/** Restores the frame and the state before the opcode. */
export function undoStep(): void {
  revertTo(before);
  store<i64>(frame, load<i64>(STEP_GAS), GAS);
  store<u32>(frame, load<u32>(STEP_PC), PC);
  store<u32>(frame, load<u32>(STEP_TOP), TOP);
  store<u32>(frame, load<u32>(STEP_MEMORY_SIZE), MEMORY_SIZE);
  store<i64>(frame, spillBefore, SPILL);
  restoreStateGas(load<i64>(STEP_RESERVOIR), stateGasBefore);
}

/** Called when the opcode's gas has been charged to the current frame. @returns whether the opcode must stop here */
export function tellStep(): bool {
  return tellCharged(load<i64>(frame, GAS), 0, 0);
}

/** See {@link tellStep}. @param gas gas that the call passes on, which isn't charged yet */
export function tellCall(gas: i64): bool {
  return tellCharged(load<i64>(frame, GAS), gas, 0);
}

/**
 * See {@link tellStep}.
 * @param slot the slot that SLOAD or SSTORE accesses
 * @param refund the opcode's change of the refund counter
 */
export function tellSlot(slot: usize, refund: i64): bool {
  store<u32>(STEP_SLOT, <u32>slot);
  return tellCharged(load<i64>(frame, GAS), 0, refund);
}

/**
 * See {@link tellStep}.
 * @param gas gas left
 * @param passed gas that a call passes on
 * @param refund the opcode's change of the refund counter
 */
export function tellCharged(gas: i64, passed: i64, refund: i64): bool {
  if (probes) return true;
  if (isTold) return false;
  isTold = true;
  if (counts) {
    countRun();
    return false;
  }
  describe(load<i64>(STEP_GAS) - gas - spillOfStep(), passed, refund, NONE);
  return hostStep() != 0;
}

function describe(cost: i64, passed: i64, refund: i64, fault: i32): void {
  store<i64>(STEP_COST, cost);
  store<i64>(STEP_PASSED_GAS, passed);
  store<i64>(STEP_REFUND, load<i64>(STEP_REFUND_BEFORE) + refund);
  store<i32>(STEP_FAULT, fault);
  // An opcode that can't be paid is charged no state gas.
  store<i64>(STEP_STATE_COST, fault == NONE ? stateGasUsed - stateGasBefore : 0);
}

/** How the code of the current frame has ended, if the run has waited because of that; otherwise NONE. */
export function endBefore(): i32 {
  return waitingEnd;
}

/** Whether the opcode by which the code of the current frame has ended is yet to be reported. */
export function endsUntold(): bool {
  return waitingEnd == NONE && !isTold;
}

/**
 * Called when the code of the current frame has ended.
 * @param cost cost of the opcode, if it is yet to be reported
 * @returns whether the run has to wait before the frame ends
 */
export function tellEnd(halt: i32, cost: i64): bool {
  if (waitingEnd != NONE) {
    waitingEnd = NONE;
    return false;
  }
  const hasStep = !isTold;
  if (hasStep) describe(cost, 0, 0, halt);
  isTold = true;
  if (!hostCodeEnds(halt, u32(hasStep))) return false;
  waitingEnd = halt;
  return true;
}
