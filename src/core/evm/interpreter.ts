// The interpreter. Program counter, top of the stack and gas of the current frame are local variables of the loop. Opcodes that work only
// on the stack and on existing memory run inside the loop; all others run in slow-opcodes.ts, with these variables written to the frame and
// read back.
import { ADDRESS, BALANCE } from '../state/accounts.ts';
import {
  addModulo, divide, divideSigned, multiply, multiplyModulo, remainder, remainderSigned, signExtend,
} from '../memory/arithmetic.ts';
import { byteAt, complement, leadingZeros, shiftLeft, shiftRight, shiftRightSigned } from '../memory/bits.ts';
import { callDataLoad } from './data-opcodes.ts';
import { reachDeep } from './deep-opcodes.ts';
import { endFrame } from './end-frame.ts';
import { clearStop, stopsSoon } from './events.ts';
import {
  CALL_VALUE, CALLER, CODE_AT, CODE_SIZE, frame, GAS, INPUT_SIZE, JUMPS_AT, MEMORY, MEMORY_SIZE, PC, SELF,
  STACK, STATIC, TOP,
} from './frames.ts';
import {
  CALLS_PRECOMPILE, DONE, INVALID_JUMP, INVALID_OPCODE, NONE, OUT_OF_FUEL, OUT_OF_GAS, STACK_OVERFLOW,
  STACK_UNDERFLOW, STATIC_STATE_CHANGE, WAITS,
} from '../memory/halts.ts';
import {
  BLOCK_BASE_FEE, BLOCK_BLOB_FEE, BLOCK_COINBASE, BLOCK_DIFFICULTY, BLOCK_GAS_LIMIT, BLOCK_NUMBER, BLOCK_RANDAO, BLOCK_SLOT, BLOCK_TIME,
  FRAMES, RULES_CHAIN_ID, TX_FROM, TX_GAS_PRICE,
} from '../memory/layout.ts';
import {
  breaksStack, HAS_DYNAMIC_GAS, IS_INVALID, opcodeBits, operandBytes, staticGas, WRITES_STATE,
} from './opcode-rows.ts';
import { codeEnds } from './step-ends.ts';
import { beginStep, endBefore, rollBackStep, tellCharged } from './steps.ts';
import { refund } from './refund.ts';
import { returnedSize } from './returned.ts';
import { Op } from '../tables/op.ts';
import { EIP_4399 } from '../tables/rule.ts';
import { slowOpcode } from './slow-opcodes.ts';
import { add, copyWord, equal, isZero, less, lessSigned, reverse, setWord, subtract, upper } from '../memory/words.ts';

/** 32 bytes of ones, then 32 bytes of zeros. Read from n bytes before the middle, they mask the n lower bytes of a word. */
const MASKS: usize = memory.data<u64>([-1, -1, -1, -1, 0, 0, 0, 0]) + 32;

/** gas until the run is paused */
let fuelLeft: i64 = 0;

/**
 * Runs until the outermost frame has ended, or the run has to pause.
 * @param fuel gas after which the run is paused. It is checked wherever a run can continue for long: at jumps, calls and their ends,
 * hashes, copies, and expansions of the memory.
 * @returns see halts.ts
 */
export function interpret(fuel: i64): i32 {
  fuelLeft = fuel;
  clearStop();
  while (true) {
    const halt = TELLS_STEPS && endBefore() != NONE ? endBefore() : runFrame();
    if (TELLS_STEPS && halt != NONE && halt < OUT_OF_FUEL && codeEnds(halt)) return WAITS;
    if (halt >= OUT_OF_FUEL || (halt != NONE && frame == FRAMES)) return halt;
    if (halt != NONE) endFrame(halt);
    // Checked here, too, since frames that only call each other execute no jump.
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

/** Pauses the run; the opcode that has begun will run again. */
function pauseRun(halt: i32, stop: i64): i32 {
  rollBackStep();
  fuelLeft = load<i64>(frame, GAS) - stop;
  return halt;
}

/** Runs until the current frame has ended, has called another one (NONE), or the run has to pause. */
function runFrame(): i32 {
  let pc: usize = load<u32>(frame, PC), top: usize = load<u32>(frame, TOP), gas = load<i64>(frame, GAS);
  const code: usize = load<u32>(frame, CODE_AT), jumps: usize = load<u32>(frame, JUMPS_AT);
  const stack: usize = load<u32>(frame, STACK), current = frame;
  /** gas value at which the fuel is used up */
  const stop = gas - fuelLeft;
  while (true) {
    const opcode: u32 = load<u8>(code + pc);
    if (TELLS_STEPS) beginStep(opcode, pc, top, gas, refund);
    gas -= staticGas(opcode);
    if (gas < 0 || breaksStack(opcode, <u32>(top - stack))) {
      leave(NONE, pc + 1, top, gas, stop);
      return firstFault(opcode, <u32>(top - stack), gas);
    }
    pc++;
    if (TELLS_STEPS && !(opcodeBits(opcode) & HAS_DYNAMIC_GAS) && tellCharged(gas, 0, 0)) return pauseRun(WAITS, stop);
    switch (opcode) {
      case Op.STOP: return leave(DONE, pc, top, gas, stop);
      case Op.ADD: add(top - 64, top - 32, top - 64); top -= 32; break;
      case Op.MUL: multiply(top - 64, top - 32, top - 64); top -= 32; break;
      case Op.SUB: subtract(top - 64, top - 32, top - 64); top -= 32; break;
      case Op.DIV: divide(top - 64, top - 32, top - 64); top -= 32; break;
      case Op.SDIV: divideSigned(top - 64, top - 32, top - 64); top -= 32; break;
      case Op.MOD: remainder(top - 64, top - 32, top - 64); top -= 32; break;
      case Op.SMOD: remainderSigned(top - 64, top - 32, top - 64); top -= 32; break;
      case Op.ADDMOD: addModulo(top - 96, top - 32, top - 64, top - 96); top -= 64; break;
      case Op.MULMOD: multiplyModulo(top - 96, top - 32, top - 64, top - 96); top -= 64; break;
      case Op.SIGNEXTEND: signExtend(top - 64, top - 32, top - 64); top -= 32; break;
      case Op.LT: setWord(top - 64, u64(less(top - 32, top - 64))); top -= 32; break;
      case Op.GT: setWord(top - 64, u64(less(top - 64, top - 32))); top -= 32; break;
      case Op.SLT: setWord(top - 64, u64(lessSigned(top - 32, top - 64))); top -= 32; break;
      case Op.SGT: setWord(top - 64, u64(lessSigned(top - 64, top - 32))); top -= 32; break;
      case Op.EQ: setWord(top - 64, u64(equal(top - 32, top - 64))); top -= 32; break;
      case Op.ISZERO: setWord(top - 32, u64(isZero(top - 32))); break;
      case Op.AND: {
        v128.store(top - 64, v128.and(v128.load(top - 64), v128.load(top - 32)));
        v128.store(top - 48, v128.and(v128.load(top - 48), v128.load(top - 16)));
        top -= 32;
        break;
      }
      case Op.OR: {
        v128.store(top - 64, v128.or(v128.load(top - 64), v128.load(top - 32)));
        v128.store(top - 48, v128.or(v128.load(top - 48), v128.load(top - 16)));
        top -= 32;
        break;
      }
      case Op.XOR: {
        v128.store(top - 64, v128.xor(v128.load(top - 64), v128.load(top - 32)));
        v128.store(top - 48, v128.xor(v128.load(top - 48), v128.load(top - 16)));
        top -= 32;
        break;
      }
      case Op.NOT: complement(top - 32, top - 32); break;
      case Op.BYTE: byteAt(top - 64, top - 32, top - 64); top -= 32; break;
      case Op.SHL: shiftLeft(top - 64, top - 32, top - 64); top -= 32; break;
      case Op.SHR: shiftRight(top - 64, top - 32, top - 64); top -= 32; break;
      case Op.SAR: shiftRightSigned(top - 64, top - 32, top - 64); top -= 32; break;
      case Op.CLZ: leadingZeros(top - 32, top - 32); break;
      case Op.ADDRESS: copyWord(top, <usize>load<u32>(frame, SELF) + ADDRESS); top += 32; break;
      case Op.ORIGIN: copyWord(top, TX_FROM); top += 32; break;
      case Op.CALLER: copyWord(top, <usize>load<u32>(frame, CALLER) + ADDRESS); top += 32; break;
      case Op.CALLVALUE: copyWord(top, frame + CALL_VALUE); top += 32; break;
      case Op.CALLDATALOAD: callDataLoad(top - 32); break;
      case Op.CALLDATASIZE: setWord(top, load<u32>(frame, INPUT_SIZE)); top += 32; break;
      case Op.CODESIZE: setWord(top, load<u32>(frame, CODE_SIZE)); top += 32; break;
      case Op.GASPRICE: copyWord(top, TX_GAS_PRICE); top += 32; break;
      case Op.RETURNDATASIZE: setWord(top, returnedSize); top += 32; break;
      case Op.COINBASE: copyWord(top, BLOCK_COINBASE); top += 32; break;
      case Op.TIMESTAMP: setWord(top, load<u64>(BLOCK_TIME)); top += 32; break;
      case Op.NUMBER: setWord(top, load<u64>(BLOCK_NUMBER)); top += 32; break;
      case Op.PREVRANDAO: copyWord(top, load<u32>(EIP_4399) ? BLOCK_RANDAO : BLOCK_DIFFICULTY); top += 32; break;
      case Op.GASLIMIT: setWord(top, load<u64>(BLOCK_GAS_LIMIT)); top += 32; break;
      case Op.CHAINID: setWord(top, load<u64>(RULES_CHAIN_ID)); top += 32; break;
      case Op.SELFBALANCE: copyWord(top, <usize>load<u32>(frame, SELF) + BALANCE); top += 32; break;
      case Op.BASEFEE: copyWord(top, BLOCK_BASE_FEE); top += 32; break;
      case Op.BLOBBASEFEE: copyWord(top, BLOCK_BLOB_FEE); top += 32; break;
      case Op.SLOTNUM: setWord(top, load<u64>(BLOCK_SLOT)); top += 32; break;
      case Op.POP: top -= 32; break;
      case Op.MLOAD: case Op.MSTORE: case Op.MSTORE8: {
        const at = top - 32, n: u64 = opcode == Op.MSTORE8 ? 1 : 32, offset = load<u64>(at);
        const size = <u64>load<u32>(frame, MEMORY_SIZE);
        if (upper(at) != 0 || offset >= size || offset + n > size) {
          store<i64>(frame, gas, GAS);
          store<u32>(frame, <u32>top, TOP);
          const halt = slowOpcode(opcode);
          gas = load<i64>(frame, GAS);
          if (halt && halt < OUT_OF_FUEL) return leave(halt, pc, top, gas, stop);
          if (TELLS_STEPS) {
            if (halt) return pauseRun(halt, stop);
          } else if (halt || gas < stop) {
            // The opcode hasn't run yet. When it runs again, the memory is already expanded and costs nothing.
            return leave(halt ? halt : OUT_OF_FUEL, pc - 1, top, gas + staticGas(opcode), stop);
          }
        }
        if (TELLS_STEPS && tellCharged(gas, 0, 0)) return pauseRun(WAITS, stop);
        const place = <usize>load<u32>(frame, MEMORY) + <usize>offset;
        if (opcode == Op.MLOAD) {
          reverse(at, place);
          break;
        }
        if (opcode == Op.MSTORE) reverse(place, top - 64);
        else store<u8>(place, load<u8>(top - 64));
        top -= 64;
        break;
      }
      case Op.JUMP: case Op.JUMPI: {
        const at = top - 32;
        top -= 32;
        if (opcode == Op.JUMPI) {
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
      case Op.PC: setWord(top, pc - 1); top += 32; break;
      case Op.MSIZE: setWord(top, load<u32>(frame, MEMORY_SIZE)); top += 32; break;
      case Op.GAS: setWord(top, gas); top += 32; break;
      case Op.JUMPDEST: break;
      case Op.PUSH0: setWord(top, 0); top += 32; break;
      case Op.PUSH1: setWord(top, load<u8>(code + pc)); pc++; top += 32; break;
      case Op.PUSH2: setWord(top, (<u64>load<u8>(code + pc) << 8) | load<u8>(code + pc, 1)); pc += 2; top += 32; break;
      case Op.PUSH3: case Op.PUSH4: case Op.PUSH5: case Op.PUSH6: case Op.PUSH7: case Op.PUSH8: case Op.PUSH9: case Op.PUSH10: case Op.PUSH11: case Op.PUSH12:
      case Op.PUSH13: case Op.PUSH14: case Op.PUSH15: case Op.PUSH16: case Op.PUSH17: case Op.PUSH18: case Op.PUSH19: case Op.PUSH20: case Op.PUSH21: case Op.PUSH22:
      case Op.PUSH23: case Op.PUSH24: case Op.PUSH25: case Op.PUSH26: case Op.PUSH27: case Op.PUSH28: case Op.PUSH29: case Op.PUSH30: case Op.PUSH31: case Op.PUSH32: {
        const n = <usize>opcode - Op.PUSH0, mask = MASKS - n;
        pc += n;
        // Reads the 32 bytes that end with the constant, of which the last n count.
        reverse(top, code + pc - 32);
        v128.store(top, v128.and(v128.load(top), v128.load(mask)));
        v128.store(top, v128.and(v128.load(top, 16), v128.load(mask, 16)), 16);
        top += 32;
        break;
      }
      case Op.DUP1: case Op.DUP2: case Op.DUP3: case Op.DUP4: case Op.DUP5: case Op.DUP6: case Op.DUP7: case Op.DUP8: case Op.DUP9: case Op.DUP10:
      case Op.DUP11: case Op.DUP12: case Op.DUP13: case Op.DUP14: case Op.DUP15: case Op.DUP16:
        copyWord(top, top - (<usize>(opcode - Op.DUP1 + 1) << 5));
        top += 32;
        break;
      case Op.SWAP1: case Op.SWAP2: case Op.SWAP3: case Op.SWAP4: case Op.SWAP5: case Op.SWAP6: case Op.SWAP7: case Op.SWAP8: case Op.SWAP9: case Op.SWAP10:
      case Op.SWAP11: case Op.SWAP12: case Op.SWAP13: case Op.SWAP14: case Op.SWAP15: case Op.SWAP16: {
        const a = top - 32, b = top - (<usize>(opcode - Op.SWAP1 + 2) << 5);
        const low = v128.load(a), high = v128.load(a, 16);
        copyWord(a, b);
        v128.store(b, low);
        v128.store(b, high, 16);
        break;
      }
      case Op.DUPN: case Op.SWAPN: case Op.EXCHANGE: {
        const halt = reachDeep(opcode, load<u8>(code + pc), top, stack);
        if (halt) return leave(halt, pc, top, gas, stop);
        pc++;
        if (opcode == Op.DUPN) top += 32;
        break;
      }
      default: {
        leave(NONE, pc, top, gas, stop);
        const halt = slowOpcode(opcode);
        if (halt > OUT_OF_FUEL && halt != CALLS_PRECOMPILE) {
          if (TELLS_STEPS) return pauseRun(halt, stop);
          // The opcode will run again, as it has had no effect.
          store<u32>(frame, <u32>pc - 1, PC);
          store<i64>(frame, load<i64>(frame, GAS) + staticGas(opcode), GAS);
          return halt;
        }
        if (frame != current) {
          // A callee has begun: the cost of the call counts as fuel, the gas that it passed on doesn't.
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

/** The fault of an opcode that can't run; if it has several, the one that EthereumJS detects first. */
function firstFault(opcode: u32, height: u32, gas: i64): i32 {
  const bits = opcodeBits(opcode), isDynamic = (bits & HAS_DYNAMIC_GAS) != 0, missing = height < operandBytes(opcode);
  if (bits & IS_INVALID) return INVALID_OPCODE;
  const isRefused = (bits & WRITES_STATE) != 0 && load<u32>(frame, STATIC) != 0;
  if (isRefused && isDynamic) return STATIC_STATE_CHANGE;
  // The gas of MSTORE and MSTORE8 depends only on their upper operand.
  if (height == 32 && (opcode == Op.MSTORE || opcode == Op.MSTORE8) && slowOpcode(opcode) == OUT_OF_GAS)
    return OUT_OF_GAS;
  if (gas < 0 && !(missing && isDynamic)) return OUT_OF_GAS;
  if (!missing) return STACK_OVERFLOW;
  return isRefused ? STATIC_STATE_CHANGE : STACK_UNDERFLOW;
}
