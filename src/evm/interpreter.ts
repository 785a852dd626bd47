import { EVMError, type ExecResult } from '@ethereumjs/evm';
import { integerWord } from '../state/integers.ts';
import type { DevnetEVM, RunState } from './devnet-evm.ts';

/** What is used of the library's interpreter, whose class it keeps to itself. */
interface LibraryInterpreter {
  readonly _runState: RunState;
  readonly _env: { readonly isCreate: boolean };
  readonly _result: FrameResult;
  useGas(amount: bigint, context: unknown): void;
  runStep(entry: Opcode): Promise<void>;
  _getValidJumpDestinations(code: Uint8Array): {
    jumps: RunState['validJumps'];
    pushes: RunState['cachedPushes'];
  };
}

type LibraryClass = new (
  evm: DevnetEVM,
  stateManager: DevnetEVM['stateManager'],
  blockchain: DevnetEVM['blockchain'],
  env: object,
  gasLeft: bigint,
  journal: DevnetEVM['journal'],
) => LibraryInterpreter;

type FrameResult = Pick<ExecResult, 'logs' | 'selfdestruct' | 'createdAddresses'> & {
  returnValue?: Uint8Array;
};
type JumpAnalysis = Pick<RunState, 'cachedPushes' | 'validJumps'>;
type Opcode = DevnetEVM['opcodeTable'][number];

/** What a frame starts with. */
export interface Frame {
  readonly code: Uint8Array;
  readonly gasLimit: bigint;
  /** what the opcodes ask: the library's `Env` */
  readonly env: object;
  /** shared by the frames of a transaction */
  readonly selfdestruct: ExecResult['selfdestruct'];
  readonly createdAddresses: ExecResult['createdAddresses'];
}

const { STOP, REVERT, INVALID_OPCODE } = EVMError.errorMessages;
const NO_BYTES = new Uint8Array(0);
const MLOAD = 0x51;
const MSTORE = 0x52;
const MSTORE8 = 0x53;
const JUMP = 0x56;
const JUMPI = 0x57;
/** Opcodes between two looks at the clock: about a millisecond. */
const STEPS_A_LOOK = 2048;
/** Of an opcode with a price of its own, so much gas counts as one step. */
const GAS_A_STEP = 16;

let Library: LibraryClass | undefined;
/** Code as the state holds it never changes, and is the same bytes while it is cached. */
const ANALYSES = new WeakMap<Uint8Array, JumpAnalysis>();

/** Until {@link adoptInterpreter} was called. */
export function needsInterpreter(): boolean {
  return Library === undefined;
}

/** Takes the library's class from a frame that it ran itself: it is not to be had otherwise. */
export function adoptInterpreter(runState: RunState | undefined): void {
  Library ??= runState?.interpreter.constructor as LibraryClass | undefined;
}

/**
 * Runs a frame with the library's opcodes and gas rules in a loop of its own. It does what the library's does, but waits
 * only for opcodes that answer with a promise, looks for jump targets once for each code, and gives way to other work
 * where the EVM is told to.
 */
export async function runFrame(evm: DevnetEVM, frame: Frame): Promise<ExecResult> {
  if (!Library) throw new Error('no frame was run by the library yet');
  const { env, gasLimit, code } = frame;
  const interpreter = new Library(evm, evm.stateManager, evm.blockchain, env, gasLimit, evm.journal);
  const { _runState: runState, _result: result } = interpreter;
  if (frame.selfdestruct) result.selfdestruct = frame.selfdestruct;
  if (frame.createdAddresses) result.createdAddresses = frame.createdAddresses;
  runState.code = code;
  const error = await runCode(interpreter, runState, evm);
  const failed: Partial<FrameResult> | undefined = error && {
    logs: [],
    selfdestruct: new Map(),
    createdAddresses: new Set(),
  };
  const burnt = error && error.error !== REVERT;
  return {
    ...result,
    ...failed,
    runState,
    ...(error && { exceptionError: error }),
    gas: runState.gasLeft,
    executionGasUsed: burnt ? gasLimit : gasLimit - runState.gasLeft,
    gasRefund: runState.gasRefund,
    returnValue: result.returnValue ?? NO_BYTES,
  };
}

/** @returns why the frame failed */
async function runCode(
  interpreter: LibraryInterpreter,
  runState: RunState,
  evm: DevnetEVM,
): Promise<EVMError | undefined> {
  const { code } = runState;
  const { opcodeTable: opcodes, common, turns } = evm;
  const isStepped = evm.events.listenerCount('step') > 0;
  const known = ANALYSES.get(code);
  if (known) jumpBy(known, runState);
  try {
    while (runState.programCounter < code.length) {
      const opcode = code[runState.programCounter]!;
      if ((opcode === JUMP || opcode === JUMPI) && runState.shouldDoJumpAnalysis)
        jumpBy(analyse(interpreter, code), runState);
      runState.opCode = opcode;
      if (turns && --evm.stepsToLook <= 0) {
        evm.stepsToLook = STEPS_A_LOOK;
        if (turns.due) await turns.pause();
      }
      const entry = opcodes[opcode]!;
      // Listeners are told of each step before its gas is taken: the library does that.
      if (isStepped) {
        await interpreter.runStep(entry);
        continue;
      }
      const info = entry.opcodeInfo;
      let gas = info.feeBigInt;
      if (opcode === MLOAD || opcode === MSTORE || opcode === MSTORE8)
        gas += memoryGas(runState, opcode === MSTORE8 ? 1n : 32n, common);
      else if (info.dynamicGas) {
        gas = await entry.gasHandler(runState, gas, common);
        if (turns) evm.stepsToLook -= Number(gas) / GAS_A_STEP;
      }
      if (info.isInvalid) throw new EVMError(INVALID_OPCODE);
      interpreter.useGas(gas, info);
      runState.programCounter++;
      if (opcode === MSTORE) {
        storeWord(runState);
        continue;
      }
      const done: unknown = entry.opHandler(runState, common);
      if (done instanceof Promise) await done;
    }
  } catch (error) {
    if (!(error instanceof EVMError)) throw error;
    if (error.error !== STOP) return error;
  }
  return undefined;
}

function jumpBy({ validJumps, cachedPushes }: JumpAnalysis, runState: RunState): void {
  runState.validJumps = validJumps;
  runState.cachedPushes = cachedPushes;
  runState.shouldDoJumpAnalysis = false;
}

function analyse(interpreter: LibraryInterpreter, code: Uint8Array): JumpAnalysis {
  const { jumps, pushes } = interpreter._getValidJumpDestinations(code);
  const analysis = { validJumps: jumps, cachedPushes: pushes };
  // Init code is a piece of somebody's memory or data, and runs once.
  if (!interpreter._env.isCreate) ANALYSES.set(code, analysis);
  return analysis;
}

/** MSTORE. The library's goes over hex text and spreads arrays, at over a microsecond each. */
function storeWord({ stack, memory }: RunState): void {
  const [offset, value] = stack.popN(2) as [bigint, bigint];
  memory.write(Number(offset), 32, integerWord(value));
}

/** What growing the memory to hold `size` bytes at the offset on the stack costs (yellow paper, appendix H). */
function memoryGas(runState: RunState, size: bigint, common: DevnetEVM['common']): bigint {
  const [offset] = runState.stack.peek(1) as [bigint];
  const words = (offset + size + 31n) / 32n;
  if (words <= runState.memoryWordCount) return 0n;
  const cost = words * common.param('memoryGas') + (words * words) / common.param('quadCoefficientDivGas');
  const growth = cost - runState.highestMemCost;
  runState.memoryWordCount = words;
  runState.highestMemCost = cost;
  return growth;
}
