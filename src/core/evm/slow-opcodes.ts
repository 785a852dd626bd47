// The opcodes that need more than the stack. They find gas and stack in the running frame.
import { balance, blobHash, blockHash, codeHash, codeSize, externalCodeCopy } from './account-opcodes.ts';
import { byteLength, power } from '../memory/arithmetic.ts';
import { call } from './calls.ts';
import { create } from './creates.ts';
import { copyBytes, copyMemory, copyReturned, keccak256 } from './data-opcodes.ts';
import { selfDestruct } from './destroyed.ts';
import { expand, expandTo } from './evm-memory.ts';
import {
  charge, CODE_AT, CODE_SIZE, drop, frame, INPUT, INPUT_SIZE, operand, RETURN_AT, RETURN_SIZE,
} from './frames.ts';
import { DONE, INVALID_OPCODE, NONE, OUT_OF_GAS, REVERTED } from '../memory/halts.ts';
import { log } from './logs.ts';
import { loadSlot, loadTransient, storeSlot, storeTransient } from './storage-opcodes.ts';
import { upper } from '../memory/words.ts';

/** @returns see halts.ts */
export function slowOpcode(opcode: u32): i32 {
  switch (opcode) {
    case 0x0a: {
      const base = operand(1), exponent = operand(2);
      if (!charge(10 + 50 * <i64>byteLength(exponent))) return OUT_OF_GAS;
      power(exponent, base, exponent);
      drop(1);
      return NONE;
    }
    case 0x20: return keccak256();
    case 0x31: return balance();
    case 0x37: return copyBytes(load<u32>(frame, INPUT), load<u32>(frame, INPUT_SIZE));
    case 0x39: return copyBytes(load<u32>(frame, CODE_AT), load<u32>(frame, CODE_SIZE));
    case 0x3b: return codeSize();
    case 0x3c: return externalCodeCopy();
    case 0x3e: return copyReturned();
    case 0x3f: return codeHash();
    case 0x40: return blockHash();
    case 0x49: blobHash(operand(1)); return NONE;
    case 0x51: case 0x52: return expandFor(32);
    case 0x53: return expandFor(1);
    case 0x54: return loadSlot();
    case 0x55: return storeSlot();
    case 0x5c: loadTransient(); return NONE;
    case 0x5d: return storeTransient();
    case 0x5e: return copyMemory();
    case 0xa0: case 0xa1: case 0xa2: case 0xa3: case 0xa4: return log(opcode - 0xa0);
    case 0xf0: case 0xf5: return create(opcode);
    case 0xf1: case 0xf2: case 0xf4: case 0xfa: return call(opcode);
    case 0xf3: return finish(DONE);
    case 0xfd: return finish(REVERTED);
    case 0xff: return selfDestruct();
    default: return INVALID_OPCODE;
  }
}

/** MLOAD, MSTORE, MSTORE8 where the memory isn't large enough yet. */
function expandFor(n: u64): i32 {
  const offset = operand(1);
  return upper(offset) != 0 || load<u64>(offset) > 0xffffffff ? OUT_OF_GAS : expand(load<u64>(offset), n);
}

/** RETURN, REVERT */
function finish(halt: i32): i32 {
  const offset = operand(1), size = operand(2), fault = expandTo(offset, size);
  if (fault) return fault;
  store<u32>(frame, load<u32>(size) ? load<u32>(offset) : 0, RETURN_AT);
  store<u32>(frame, load<u32>(size), RETURN_SIZE);
  return halt;
}
