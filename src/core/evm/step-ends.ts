// Reports the end of a frame's code to the host, and computes the cost of an opcode that can't be paid. See steps.ts.
import { countRun, counts } from './counts.ts';
import { frame, GAS } from './frames.ts';
import { OUT_OF_GAS } from '../memory/halts.ts';
import { STEP_GAS, STEP_OPCODE } from '../memory/layout.ts';
import { staticGas } from './opcode-rows.ts';
import { slowOpcode } from './slow-opcodes.ts';
import { endsUntold, setProbes, spillOfStep, tellEnd, undoStep } from './steps.ts';
import { Op } from '../tables/op.ts';
import { CREATE_RULE, SELFDESTRUCT_RULE } from '../tables/rule.ts';

/** More than any opcode costs within the memory size for which geth computes the gas: 2^62. */
const AMPLE: i64 = 0x4000000000000000;

/** Called when the code of the current frame has ended. @returns whether the run has to wait before the frame ends */
export function codeEnds(halt: i32): bool {
  if (counts) {
    if (endsUntold()) countRun();
    return false;
  }
  return tellEnd(halt, endsUntold() ? costOfFault(halt) : 0);
}

/**
 * The cost of an opcode that couldn't run: as in geth, its full cost if that can be computed. If the opcode would need more than 128 GiB of
 * memory, and for calls, it is the constant part of the cost.
 */
function costOfFault(halt: i32): i64 {
  const opcode = load<u32>(STEP_OPCODE), gas = load<i64>(STEP_GAS), base = baseGas(opcode);
  if (halt != OUT_OF_GAS) return max(base, gas - load<i64>(frame, GAS));
  if (gas < base || isCall(opcode)) return base;
  undoStep();
  store<i64>(frame, AMPLE, GAS);
  setProbes(true);
  const end = slowOpcode(opcode);
  setProbes(false);
  return end == OUT_OF_GAS ? base : staticGas(opcode) + AMPLE - load<i64>(frame, GAS) - spillOfStep();
}

/** The constant gas of an opcode. Opcodes whose functions charge all gas have 0 in their rows. */
function baseGas(opcode: u32): i64 {
  if (opcode == Op.CREATE || opcode == Op.CREATE2) return load<i64>(CREATE_RULE);
  return opcode == Op.SELFDESTRUCT ? load<i64>(SELFDESTRUCT_RULE) : staticGas(opcode);
}

function isCall(opcode: u32): bool {
  return opcode == Op.CALL || opcode == Op.CALLCODE || opcode == Op.DELEGATECALL || opcode == Op.STATICCALL;
}
