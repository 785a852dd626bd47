// Steps: what a run tells the host of each opcode. Only in the second build of these sources, whose constant TELLS_STEPS is set:
// scripts/build-core.mjs. Of the first one the compiler leaves out whatever depends on that constant.
//
// A step is told when the gas of its opcode is charged, and nothing else has happened: the operands are still on the stack (or
// behind its end), the memory has at most got zeros more, and the state is that before the opcode. The host reads what it wants at
// STEP. Where it has to wait first, what the opcode did is taken back, and the opcode begins anew later. Of a run that is counted
// (counts.ts) the host isn't told anything.
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

/** An opcode is about to take effect. @returns 1 when the run has to wait first */
/* @external("host", "step") */ declare function hostStep(): u32;
/**
 * The code of the running frame has ended, and nothing is taken back yet.
 * @param hasStep 1 = by an opcode that couldn't begin, and of which the host hasn't been told yet
 * @returns 1 when the run has to wait first
 */
/* @external("host", "codeEnds") */ declare function hostCodeEnds(halt: i32, hasStep: u32): u32;

/** state gas of before the opcode: what was used, and what of the running frame's gas was spilled */
let stateGasBefore: i64 = 0, spillBefore: i64 = 0;
/** whether the host knows of the opcode that runs */
let isTold: bool = false;
/** whether that opcode runs again, since it had to wait or missed something */
let runsAgain: bool = false;
/** the journal before the opcode */
let before: u32 = 0;
/** how the code of the running frame has ended, while the host waits because of that; else NONE */
let waitingEnd: i32 = NONE;
/** whether an opcode runs only for its cost: see step-ends.ts */
export let probes: bool = false;
/** bytes that the memory would have by now, where an opcode runs only for its cost: they aren't there */
export let probedSize: u64 = 0;

/** A run begins: an earlier one may have been given up while it waited. */
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
 * The words for which an opcode is charged.
 * @param size bytes, where they stand on the stack
 * @param n its lower 32 bits: all there is to it where the opcode takes effect
 */
/* @inline */ export function chargedWords(size: usize, n: u32): i64 {
  return TELLS_STEPS && probes ? (load<i64>(size) + 31) >> 5 : wordsOf(n);
}

/** An opcode of the running frame begins. @param refund of the run */
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

/** What was left before the opcode. */
export function gasOfStep(): i64 {
  return load<i64>(STEP_GAS);
}

/** How much of the frame's gas the opcode has used as state gas (EIP-8037). */
export function spillOfStep(): i64 {
  return load<i64>(frame, SPILL) - spillBefore;
}

/** Takes back what the opcode has done so far: it will run again. */
export function takeBackStep(): void {
  runsAgain = isTold;
  undoStep();
}

/** The frame and the state as they were before the opcode. */
export function undoStep(): void {
  revertTo(before);
  store<i64>(frame, load<i64>(STEP_GAS), GAS);
  store<u32>(frame, load<u32>(STEP_PC), PC);
  store<u32>(frame, load<u32>(STEP_TOP), TOP);
  store<u32>(frame, load<u32>(STEP_MEMORY_SIZE), MEMORY_SIZE);
  store<i64>(frame, spillBefore, SPILL);
  restoreStateGas(load<i64>(STEP_RESERVOIR), stateGasBefore);
}

/** The gas of the opcode is charged to the running frame. @returns whether it has to stop here */
export function tellStep(): bool {
  return tellCharged(load<i64>(frame, GAS), 0, 0);
}

/** @param gas what the call takes along, which isn't charged yet */
export function tellCall(gas: i64): bool {
  return tellCharged(load<i64>(frame, GAS), gas, 0);
}

/**
 * @param slot what SLOAD or SSTORE access
 * @param refund what is going to be added to the refund
 */
export function tellSlot(slot: usize, refund: i64): bool {
  store<u32>(STEP_SLOT, <u32>slot);
  return tellCharged(load<i64>(frame, GAS), 0, refund);
}

/**
 * See {@link tellStep}.
 * @param gas what is left
 * @param passed what a call takes along
 * @param refund what is going to be added to the refund
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
  // What can't be paid is charged no state gas.
  store<i64>(STEP_STATE_COST, fault == NONE ? stateGasUsed - stateGasBefore : 0);
}

/** How the code of the running frame has ended, if the run has waited since; else NONE. */
export function endBefore(): i32 {
  return waitingEnd;
}

/** Whether the host doesn't know yet of the opcode by which the code of the running frame has ended. */
export function endsUntold(): bool {
  return waitingEnd == NONE && !isTold;
}

/**
 * The code of the running frame has ended.
 * @param cost of the opcode, where the host doesn't know of it yet
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
