// The interpreter's checks before it runs an opcode: for each opcode a row of four 16-bit numbers, which the host computes for the block's
// hardfork (src/engine/wasm/rules.ts) from src/core/tables/opcodes.ts:
//
// - the constant gas
// - the size of its operands on the stack, in bytes; more than a stack has if the hardfork doesn't have the opcode
// - the maximum size of the rest of the stack, in bytes: one word less if the opcode pushes one word more than it pops
// - bits: see below
import { OPCODE_ROWS } from '../memory/layout.ts';

/** Bits of the last number. They only determine the reason of a halt if an opcode has several faults. */
export const HAS_DYNAMIC_GAS: u32 = 1;
export const WRITES_STATE: u32 = 2;
export const IS_INVALID: u32 = 4;

/* @inline */ export function staticGas(opcode: u32): i64 {
  return load<u16>(OPCODE_ROWS + (<usize>opcode << 3));
}

/* @inline */ export function operandBytes(opcode: u32): u32 {
  return load<u16>(OPCODE_ROWS + (<usize>opcode << 3), 2);
}

/** Whether a stack of this size in bytes is too small or too large for the opcode. */
/* @inline */ export function breaksStack(opcode: u32, height: u32): bool {
  return height - operandBytes(opcode) > <u32>load<u16>(OPCODE_ROWS + (<usize>opcode << 3), 4);
}

/* @inline */ export function opcodeBits(opcode: u32): u32 {
  return load<u16>(OPCODE_ROWS + (<usize>opcode << 3), 6);
}
