// What the interpreter checks before it runs an opcode: one row of four numbers of 16 bits for each, which the host writes for the
// hardfork of the block (src/engine/wasm/rules.ts) from src/core/tables/opcodes.ts:
//
// - gas whatever the operands are
// - bytes that its operands take on the stack; more than a stack has where the hardfork doesn't have the opcode
// - bytes that may be on the stack besides: one place less when it leaves one word more
// - bits: see below
import { OPCODE_ROWS } from '../memory/layout.ts';

/** Bits of the last number. They only give a halt its name where several things are wrong. */
export const HAS_DYNAMIC_GAS: u32 = 1;
export const WRITES_STATE: u32 = 2;
export const IS_INVALID: u32 = 4;

/* @inline */ export function staticGas(opcode: u32): i64 {
  return load<u16>(OPCODE_ROWS + (<usize>opcode << 3));
}

/* @inline */ export function operandBytes(opcode: u32): u32 {
  return load<u16>(OPCODE_ROWS + (<usize>opcode << 3), 2);
}

/** Whether a stack of so many bytes is too small or too large. */
/* @inline */ export function breaksStack(opcode: u32, height: u32): bool {
  return height - operandBytes(opcode) > <u32>load<u16>(OPCODE_ROWS + (<usize>opcode << 3), 4);
}

/* @inline */ export function opcodeBits(opcode: u32): u32 {
  return load<u16>(OPCODE_ROWS + (<usize>opcode << 3), 6);
}
