// The interpreter. Program counter, top of the stack and gas of the running frame are local variables of the
// loop. Opcodes that only work on the stack and on memory that is there run in it; all others run in
// slow-opcodes.ts, with the variables written to the frame and read back.
import { ADDRESS, BALANCE } from '../state/accounts.ts';
import {
  addModulo, divide, divideSigned, multiply, multiplyModulo, remainder, remainderSigned, signExtend,
} from '../memory/arithmetic.ts';
import { byteAt, complement, leadingZeros, shiftLeft, shiftRight, shiftRightSigned } from '../memory/bits.ts';
import { callDataLoad } from './data-opcodes.ts';
import { endFrame } from './end-frame.ts';
import { clearStop, stopsSoon } from './events.ts';
import {
  CALL_VALUE, CALLER, CODE_AT, CODE_SIZE, frame, GAS, INPUT_SIZE, JUMPS_AT, MEMORY, MEMORY_SIZE, PC, SELF,
  STACK, STATIC, TOP,
} from './frames.ts';
import {
  CALLS_PRECOMPILE, DONE, INVALID_JUMP, INVALID_OPCODE, NONE, OUT_OF_FUEL, OUT_OF_GAS, STACK_OVERFLOW,
  STACK_UNDERFLOW, STATIC_STATE_CHANGE,
} from '../memory/halts.ts';
import {
  BLOCK_BASE_FEE, BLOCK_BLOB_FEE, BLOCK_COINBASE, BLOCK_GAS_LIMIT, BLOCK_NUMBER, BLOCK_RANDAO, BLOCK_TIME,
  FRAMES, RULES_CHAIN_ID, RULES_OSAKA, TX_FROM, TX_GAS_PRICE,
} from '../memory/layout.ts';
import { breaksStack, isDynamic, operandBytes, staticGas, writesState } from './opcode-table.ts';
import { returnedSize } from './returned.ts';
import { slowOpcode } from './slow-opcodes.ts';
import { add, copyWord, equal, isZero, less, lessSigned, reverse, setWord, subtract, upper } from '../memory/words.ts';

/**
 * 32 bytes of ones, 32 of zeros. Read from n bytes before the middle, they keep the n lower bytes of a word.
 */
const MASKS: usize = memory.data<u64>([-1, -1, -1, -1, 0, 0, 0, 0]) + 32;
const CLZ_GAS: i64 = 5;

/** gas until the run stands still */
let fuelLeft: i64 = 0;

/**
 * Runs until the outermost frame has ended, or the run has to stand still.
 * @param fuel gas after which it stands still. Looked at where a run may go on for long: at jumps, calls and
 * their ends, hashes, copies, and where the memory grows.
 * @returns see halts.ts
 */
export function interpret(fuel: i64): i32 {
  fuelLeft = fuel;
  clearStop();
  while (true) {
    const halt = runFrame();
    if (halt >= OUT_OF_FUEL || (halt != NONE && frame == FRAMES)) return halt;
    if (halt != NONE) endFrame(halt);
    // Frames that only call each other come to no jump.
    if (fuelLeft < 0 || stopsSoon) return OUT_OF_FUEL;
  }
}

/** Writes the loop's variables to the running frame. */
function leave(halt: i32, pc: usize, top: usize, gas: i64, stop: i64): i32 {
  fuelLeft = gas - stop;
  store<u32>(frame, <u32>pc, PC);
  store<u32>(frame, <u32>top, TOP);
  store<i64>(frame, gas, GAS);
  return halt;
}

/** Runs until the frame has ended, has called another one (NONE), or the run has to stand still. */
function runFrame(): i32 {
  let pc: usize = load<u32>(frame, PC), top: usize = load<u32>(frame, TOP), gas = load<i64>(frame, GAS);
  const code: usize = load<u32>(frame, CODE_AT), jumps: usize = load<u32>(frame, JUMPS_AT);
  const stack: usize = load<u32>(frame, STACK), current = frame;
  /** gas at which the fuel is used up */
  const stop = gas - fuelLeft;
  while (true) {
    const opcode: u32 = load<u8>(code + pc);
    gas -= staticGas(opcode);
    if (gas < 0 || breaksStack(opcode, <u32>(top - stack))) {
      leave(NONE, pc, top, gas, stop);
      return firstFault(opcode, <u32>(top - stack), gas);
    }
    pc++;
    switch (opcode) {
      case 0x00: return leave(DONE, pc, top, gas, stop);
      case 0x01: add(top - 64, top - 32, top - 64); top -= 32; break;
      case 0x02: multiply(top - 64, top - 32, top - 64); top -= 32; break;
      case 0x03: subtract(top - 64, top - 32, top - 64); top -= 32; break;
      case 0x04: divide(top - 64, top - 32, top - 64); top -= 32; break;
      case 0x05: divideSigned(top - 64, top - 32, top - 64); top -= 32; break;
      case 0x06: remainder(top - 64, top - 32, top - 64); top -= 32; break;
      case 0x07: remainderSigned(top - 64, top - 32, top - 64); top -= 32; break;
      case 0x08: addModulo(top - 96, top - 32, top - 64, top - 96); top -= 64; break;
      case 0x09: multiplyModulo(top - 96, top - 32, top - 64, top - 96); top -= 64; break;
      case 0x0b: signExtend(top - 64, top - 32, top - 64); top -= 32; break;
      case 0x10: setWord(top - 64, u64(less(top - 32, top - 64))); top -= 32; break;
      case 0x11: setWord(top - 64, u64(less(top - 64, top - 32))); top -= 32; break;
      case 0x12: setWord(top - 64, u64(lessSigned(top - 32, top - 64))); top -= 32; break;
      case 0x13: setWord(top - 64, u64(lessSigned(top - 64, top - 32))); top -= 32; break;
      case 0x14: setWord(top - 64, u64(equal(top - 32, top - 64))); top -= 32; break;
      case 0x15: setWord(top - 32, u64(isZero(top - 32))); break;
      case 0x16: {
        v128.store(top - 64, v128.and(v128.load(top - 64), v128.load(top - 32)));
        v128.store(top - 48, v128.and(v128.load(top - 48), v128.load(top - 16)));
        top -= 32;
        break;
      }
      case 0x17: {
        v128.store(top - 64, v128.or(v128.load(top - 64), v128.load(top - 32)));
        v128.store(top - 48, v128.or(v128.load(top - 48), v128.load(top - 16)));
        top -= 32;
        break;
      }
      case 0x18: {
        v128.store(top - 64, v128.xor(v128.load(top - 64), v128.load(top - 32)));
        v128.store(top - 48, v128.xor(v128.load(top - 48), v128.load(top - 16)));
        top -= 32;
        break;
      }
      case 0x19: complement(top - 32, top - 32); break;
      case 0x1a: byteAt(top - 64, top - 32, top - 64); top -= 32; break;
      case 0x1b: shiftLeft(top - 64, top - 32, top - 64); top -= 32; break;
      case 0x1c: shiftRight(top - 64, top - 32, top - 64); top -= 32; break;
      case 0x1d: shiftRightSigned(top - 64, top - 32, top - 64); top -= 32; break;
      case 0x1e: {
        gas -= CLZ_GAS;
        if (!load<u32>(RULES_OSAKA)) return leave(INVALID_OPCODE, pc, top, gas, stop);
        if (gas < 0) return leave(OUT_OF_GAS, pc, top, gas, stop);
        if (top == stack) return leave(STACK_UNDERFLOW, pc, top, gas, stop);
        leadingZeros(top - 32, top - 32);
        break;
      }
      case 0x30: copyWord(top, <usize>load<u32>(frame, SELF) + ADDRESS); top += 32; break;
      case 0x32: copyWord(top, TX_FROM); top += 32; break;
      case 0x33: copyWord(top, <usize>load<u32>(frame, CALLER) + ADDRESS); top += 32; break;
      case 0x34: copyWord(top, frame + CALL_VALUE); top += 32; break;
      case 0x35: callDataLoad(top - 32); break;
      case 0x36: setWord(top, load<u32>(frame, INPUT_SIZE)); top += 32; break;
      case 0x38: setWord(top, load<u32>(frame, CODE_SIZE)); top += 32; break;
      case 0x3a: copyWord(top, TX_GAS_PRICE); top += 32; break;
      case 0x3d: setWord(top, returnedSize); top += 32; break;
      case 0x41: copyWord(top, BLOCK_COINBASE); top += 32; break;
      case 0x42: setWord(top, load<u64>(BLOCK_TIME)); top += 32; break;
      case 0x43: setWord(top, load<u64>(BLOCK_NUMBER)); top += 32; break;
      case 0x44: copyWord(top, BLOCK_RANDAO); top += 32; break;
      case 0x45: setWord(top, load<u64>(BLOCK_GAS_LIMIT)); top += 32; break;
      case 0x46: setWord(top, load<u64>(RULES_CHAIN_ID)); top += 32; break;
      case 0x47: copyWord(top, <usize>load<u32>(frame, SELF) + BALANCE); top += 32; break;
      case 0x48: copyWord(top, BLOCK_BASE_FEE); top += 32; break;
      case 0x4a: copyWord(top, BLOCK_BLOB_FEE); top += 32; break;
      case 0x50: top -= 32; break;
      case 0x51: case 0x52: case 0x53: {
        const at = top - 32, n: u64 = opcode == 0x53 ? 1 : 32, offset = load<u64>(at);
        const size = <u64>load<u32>(frame, MEMORY_SIZE);
        if (upper(at) != 0 || offset >= size || offset + n > size) {
          store<i64>(frame, gas, GAS);
          store<u32>(frame, <u32>top, TOP);
          const halt = slowOpcode(opcode);
          gas = load<i64>(frame, GAS);
          if (halt && halt < OUT_OF_FUEL) return leave(halt, pc, top, gas, stop);
          // The opcode has not begun. Memory that it has got costs nothing when it runs again.
          if (halt || gas < stop)
            return leave(halt ? halt : OUT_OF_FUEL, pc - 1, top, gas + staticGas(opcode), stop);
        }
        const place = <usize>load<u32>(frame, MEMORY) + <usize>offset;
        if (opcode == 0x51) {
          reverse(at, place);
          break;
        }
        if (opcode == 0x52) reverse(place, top - 64);
        else store<u8>(place, load<u8>(top - 64));
        top -= 64;
        break;
      }
      case 0x56: case 0x57: {
        const at = top - 32;
        top -= 32;
        if (opcode == 0x57) {
          top -= 32;
          if (isZero(top)) break;
        }
        const target = load<u64>(at);
        const isTarget = upper(at) == 0 && target < <u64>load<u32>(frame, CODE_SIZE)
          && ((load<u8>(jumps + (<usize>target >> 3)) >> (<u8>target & 7)) & 1) != 0;
        if (!isTarget) return leave(INVALID_JUMP, pc, top, gas, stop);
        pc = <usize>target;
        if (gas < stop) return leave(OUT_OF_FUEL, pc, top, gas, stop);
        break;
      }
      case 0x58: setWord(top, pc - 1); top += 32; break;
      case 0x59: setWord(top, load<u32>(frame, MEMORY_SIZE)); top += 32; break;
      case 0x5a: setWord(top, gas); top += 32; break;
      case 0x5b: break;
      case 0x5f: setWord(top, 0); top += 32; break;
      case 0x60: setWord(top, load<u8>(code + pc)); pc++; top += 32; break;
      case 0x61: setWord(top, (<u64>load<u8>(code + pc) << 8) | load<u8>(code + pc, 1)); pc += 2; top += 32; break;
      case 0x62: case 0x63: case 0x64: case 0x65: case 0x66: case 0x67: case 0x68: case 0x69: case 0x6a: case 0x6b:
      case 0x6c: case 0x6d: case 0x6e: case 0x6f: case 0x70: case 0x71: case 0x72: case 0x73: case 0x74: case 0x75:
      case 0x76: case 0x77: case 0x78: case 0x79: case 0x7a: case 0x7b: case 0x7c: case 0x7d: case 0x7e: case 0x7f: {
        const n = <usize>opcode - 0x5f, mask = MASKS - n;
        pc += n;
        // The 32 bytes that end with the constant, of which the n last ones count.
        reverse(top, code + pc - 32);
        v128.store(top, v128.and(v128.load(top), v128.load(mask)));
        v128.store(top, v128.and(v128.load(top, 16), v128.load(mask, 16)), 16);
        top += 32;
        break;
      }
      case 0x80: case 0x81: case 0x82: case 0x83: case 0x84: case 0x85: case 0x86: case 0x87: case 0x88: case 0x89:
      case 0x8a: case 0x8b: case 0x8c: case 0x8d: case 0x8e: case 0x8f:
        copyWord(top, top - (<usize>(opcode - 0x7f) << 5));
        top += 32;
        break;
      case 0x90: case 0x91: case 0x92: case 0x93: case 0x94: case 0x95: case 0x96: case 0x97: case 0x98: case 0x99:
      case 0x9a: case 0x9b: case 0x9c: case 0x9d: case 0x9e: case 0x9f: {
        const a = top - 32, b = top - (<usize>(opcode - 0x8e) << 5);
        const low = v128.load(a), high = v128.load(a, 16);
        copyWord(a, b);
        v128.store(b, low);
        v128.store(b, high, 16);
        break;
      }
      default: {
        leave(NONE, pc, top, gas, stop);
        const halt = slowOpcode(opcode);
        if (halt > OUT_OF_FUEL && halt != CALLS_PRECOMPILE) {
          // It will run again: it has not begun.
          store<u32>(frame, <u32>pc - 1, PC);
          store<i64>(frame, load<i64>(frame, GAS) + staticGas(opcode), GAS);
          return halt;
        }
        if (frame != current) {
          // A callee began: what the call cost counts as fuel, what it took along doesn't.
          fuelLeft -= gas - load<i64>(current, GAS) - load<i64>(frame, GAS);
          return NONE;
        }
        gas = load<i64>(frame, GAS);
        if (halt) {
          fuelLeft = gas - stop;
          return halt;
        }
        top = load<u32>(frame, TOP);
        if (gas < stop || stopsSoon) return leave(OUT_OF_FUEL, pc, top, gas, stop);
      }
    }
  }
}

/** What is wrong with an opcode that can't run, in the order in which EthereumJS finds it. */
function firstFault(opcode: u32, height: u32, gas: i64): i32 {
  const missing = height < operandBytes(opcode);
  // The gas of MSTORE and MSTORE8 depends on the upper one of their operands only.
  if (height == 32 && (opcode == 0x52 || opcode == 0x53) && slowOpcode(opcode) == OUT_OF_GAS)
    return OUT_OF_GAS;
  if (gas < 0 && !(missing && isDynamic(opcode))) return OUT_OF_GAS;
  if (!missing) return STACK_OVERFLOW;
  return writesState(opcode) && load<u32>(frame, STATIC) ? STATIC_STATE_CHANGE : STACK_UNDERFLOW;
}

