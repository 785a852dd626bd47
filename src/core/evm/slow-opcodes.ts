// The opcodes that need more than the stack. They work on the gas and the stack in the current frame's record.
import { balance, blobHash, blockHash, codeHash, codeSize, externalCodeCopy } from './account-opcodes.ts';
import { byteLength, power } from '../memory/arithmetic.ts';
import { call } from './calls.ts';
import { create } from './creates.ts';
import { copyBytes, copyMemory, copyReturned, keccak256 } from './data-opcodes.ts';
import { selfDestruct } from './destroyed.ts';
import { expand, expandTo, mostBytes } from './evm-memory.ts';
import {
  charge, CODE_AT, CODE_SIZE, drop, frame, INPUT, INPUT_SIZE, operand, RETURN_AT, RETURN_SIZE,
} from './frames.ts';
import { DONE, INVALID_OPCODE, NONE, OUT_OF_GAS, REVERTED, WAITS } from '../memory/halts.ts';
import { log } from './logs.ts';
import { tellStep } from './steps.ts';
import { Op } from '../tables/op.ts';
import { EXP_BYTE_RULE } from '../tables/rule.ts';
import { loadSlot, loadTransient, storeSlot, storeTransient } from './storage-opcodes.ts';
import { upper } from '../memory/words.ts';

/** @returns see halts.ts */
export function slowOpcode(opcode: u32): i32 {
  switch (opcode) {
    case Op.EXP: {
      const base = operand(1), exponent = operand(2);
      if (!charge(load<i64>(EXP_BYTE_RULE) * <i64>byteLength(exponent))) return OUT_OF_GAS;
      if (TELLS_STEPS && tellStep()) return WAITS;
      power(exponent, base, exponent);
      drop(1);
      return NONE;
    }
    case Op.KECCAK256: return keccak256();
    case Op.BALANCE: return balance();
    case Op.CALLDATACOPY: return copyBytes(load<u32>(frame, INPUT), load<u32>(frame, INPUT_SIZE));
    case Op.CODECOPY: return copyBytes(load<u32>(frame, CODE_AT), load<u32>(frame, CODE_SIZE));
    case Op.EXTCODESIZE: return codeSize();
    case Op.EXTCODECOPY: return externalCodeCopy();
    case Op.RETURNDATACOPY: return copyReturned();
    case Op.EXTCODEHASH: return codeHash();
    case Op.BLOCKHASH: return blockHash();
    case Op.BLOBHASH: blobHash(operand(1)); return NONE;
    case Op.MLOAD: case Op.MSTORE: return expandFor(32);
    case Op.MSTORE8: return expandFor(1);
    case Op.SLOAD: return loadSlot();
    case Op.SSTORE: return storeSlot();
    case Op.TLOAD: loadTransient(); return NONE;
    case Op.TSTORE: return storeTransient();
    case Op.MCOPY: return copyMemory();
    case Op.LOG0: case Op.LOG1: case Op.LOG2: case Op.LOG3: case Op.LOG4: return log(opcode - Op.LOG0);
    case Op.CREATE: case Op.CREATE2: return create(opcode);
    case Op.CALL: case Op.CALLCODE: case Op.DELEGATECALL: case Op.STATICCALL: return call(opcode);
    case Op.RETURN: return finish(DONE);
    case Op.REVERT: return finish(REVERTED);
    case Op.SELFDESTRUCT: return selfDestruct();
    default: return INVALID_OPCODE;
  }
}

/** Expands the memory for MLOAD, MSTORE and MSTORE8. */
function expandFor(n: u64): i32 {
  const offset = operand(1);
  return upper(offset) != 0 || load<u64>(offset) > mostBytes() ? OUT_OF_GAS : expand(load<u64>(offset), n);
}

/** RETURN, REVERT */
function finish(halt: i32): i32 {
  const offset = operand(1), size = operand(2), fault = expandTo(offset, size);
  if (fault) return fault;
  if (TELLS_STEPS && tellStep()) return WAITS;
  store<u32>(frame, load<u32>(size) ? load<u32>(offset) : 0, RETURN_AT);
  store<u32>(frame, load<u32>(size), RETURN_SIZE);
  return halt;
}
