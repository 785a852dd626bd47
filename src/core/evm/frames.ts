// Call frames. The whole state of a frame is in its record, so that a run can be paused at any opcode.
import { FRAME_SIZE, FRAMES } from '../memory/layout.ts';

// Offsets in a record.
export const GAS: usize = 0;
/** pointers: bottom and end of the stack */
export const STACK: usize = 8;
export const TOP: usize = 12;
/** offset in the code */
export const PC: usize = 16;
export const CODE_AT: usize = 20;
export const CODE_SIZE: usize = 24;
export const JUMPS_AT: usize = 28;
export const MEMORY: usize = 32;
/** bytes, a multiple of 32 */
export const MEMORY_SIZE: usize = 36;
export const INPUT: usize = 40;
export const INPUT_SIZE: usize = 44;
/** 1 = state must not be changed (STATICCALL) */
export const STATIC: usize = 48;
/** the account whose storage the code uses, and the caller */
export const SELF: usize = 52;
export const CALLER: usize = 56;
/** 1 = runs init code */
export const CREATES: usize = 60;
/** memory range of the caller for the output */
export const OUT: usize = 64;
export const OUT_SIZE: usize = 68;
/** marks to which a failure rolls back: journal, logs, destroyed accounts, refund */
export const JOURNAL_MARK: usize = 72;
export const LOG_MARK: usize = 76;
export const DESTROYED_MARK: usize = 80;
/** of an ended frame: offset and length of its output in its memory */
export const RETURN_AT: usize = 84;
export const RETURN_SIZE: usize = 88;
/** pointer: end of the room for the memory */
export const MEMORY_LIMIT: usize = 92;
export const REFUND_MARK: usize = 96;
/** pointer: end of the room for the stack; see stacks.ts */
export const STACK_END: usize = 104;
/** word */
export const CALL_VALUE: usize = 112;
/**
 * EIP-8037, see state-gas.ts: state gas taken from GAS; reservoir and used state gas when the frame began; state gas that the caller was
 * charged for the account that the frame creates
 */
export const SPILL: usize = 144;
export const RESERVOIR_MARK: usize = 152;
export const STATE_GAS_MARK: usize = 160;
export const ACCOUNT_CHARGE: usize = 168;

/** the current frame */
export let frame: usize = FRAMES;

export function setFrame(at: usize): void {
  frame = at;
}

/* @inline */ export function depth(): usize {
  return (frame - FRAMES) / FRAME_SIZE;
}

/** @returns false when the gas doesn't suffice; the frame has failed then */
/* @inline */ export function charge(gas: i64): bool {
  const left = load<i64>(frame, GAS) - gas;
  store<i64>(frame, left, GAS);
  return left >= 0;
}

/* @inline */ export function giveGas(gas: i64): void {
  store<i64>(frame, load<i64>(frame, GAS) + gas, GAS);
}

/** The n-th word from the top of the current frame's stack, 1 = the top. */
/* @inline */ export function operand(n: usize): usize {
  return <usize>load<u32>(frame, TOP) - (n << 5);
}

/** Removes n words from the stack. */
/* @inline */ export function drop(n: u32): void {
  store<u32>(frame, load<u32>(frame, TOP) - (n << 5), TOP);
}

/** Pushes a word, which the caller then writes. */
/* @inline */ export function pushed(): usize {
  const at = load<u32>(frame, TOP);
  store<u32>(frame, at + 32, TOP);
  return at;
}

/** The number of words for n bytes. */
/* @inline */ export function wordsOf(n: u32): i64 {
  return (<i64>n + 31) >> 5;
}
