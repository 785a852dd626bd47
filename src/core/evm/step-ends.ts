// How the end of a frame's code is told to the host, and what an opcode costs that can't be paid. See steps.ts.
import { countRun, counts } from './counts.ts';
import { frame, GAS } from './frames.ts';
import { OUT_OF_GAS } from '../memory/halts.ts';
import { STEP_GAS, STEP_OPCODE } from '../memory/layout.ts';
import { staticGas } from './opcode-rows.ts';
import { slowOpcode } from './slow-opcodes.ts';
import { endsUntold, setProbes, spillOfStep, tellEnd, undoStep } from './steps.ts';
import { Op } from '../tables/op.ts';
import { CREATE_RULE, SELFDESTRUCT_RULE } from '../tables/rule.ts';

/** More than any opcode costs whose memory geth tells the gas of: 2^62. */
const AMPLE: i64 = 0x4000000000000000;

/** The code of the running frame has ended. @returns whether the run has to wait before the frame ends */
export function codeEnds(halt: i32): bool {
  if (counts) {
    if (endsUntold()) countRun();
    return false;
  }
  return tellEnd(halt, endsUntold() ? costOfFault(halt) : 0);
}

/**
 * What an opcode costs that couldn't begin: all of it where it can be told, as in geth. Where it can't, since the opcode would need
 * more than 128 GiB of memory, and of calls: what it costs whatever its operands are.
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

/** Those whose functions charge all have no gas in their rows. */
function baseGas(opcode: u32): i64 {
  if (opcode == Op.CREATE || opcode == Op.CREATE2) return load<i64>(CREATE_RULE);
  return opcode == Op.SELFDESTRUCT ? load<i64>(SELFDESTRUCT_RULE) : staticGas(opcode);
}

function isCall(opcode: u32): bool {
  return opcode == Op.CALL || opcode == Op.CALLCODE || opcode == Op.DELEGATECALL || opcode == Op.STATICCALL;
}
