import { EVMError, type ExecResult } from '@ethereumjs/evm';
import { EMPTY_BYTES } from '../state/account.ts';
import { integerWord } from '../state/integers.ts';
import type { DevnetEVM, OpcodeStep, RunState } from './devnet-evm.ts';

/** The used members of EthereumJS's interpreter, a class that the library doesn't export. */
interface LibraryInterpreter {
  readonly _runState: RunState;
  readonly _env: { readonly isCreate: boolean };
  readonly _result: FrameResult;
  useGas(amount: bigint, context: unknown): void;
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

/** The input of a frame. */
export interface Frame {
  readonly code: Uint8Array;
  readonly gasLimit: bigint;
  /** the environment that opcodes read: the library's `Env` */
  readonly env: object;
  /** shared by the frames of a transaction */
  readonly selfdestruct: ExecResult['selfdestruct'];
  readonly createdAddresses: ExecResult['createdAddresses'];
}

const { STOP, REVERT, INVALID_OPCODE } = EVMError.errorMessages;
const MLOAD = 0x51;
const MSTORE = 0x52;
const MSTORE8 = 0x53;
const JUMP = 0x56;
const JUMPI = 0x57;
/** Opcodes between two checks of the clock: about a millisecond. */
const STEPS_A_LOOK = 2048;
/** For an opcode with dynamic gas, this much gas counts as one step. */
const GAS_A_STEP = 16;
/** The time that a listener takes for a step, in steps. */
const TOLD_STEPS = 64;
/** Words of memory that are copied in the time of one step. */
const WORDS_A_STEP = 64;
/** The time to begin and end a frame, in steps. */
const FRAME_STEPS = 100;
/** Memory grows by a quarter of what it has at least, and to a multiple of this, in bytes. */
const ROOM = 8 * 1024;
/** What a frame holds at least, in bytes: its stack, 8 KiB of memory, and what the library keeps for it. */
const FRAME_BYTES = 12 * 1024;

let Library: LibraryClass | undefined;
/** Jump analyses by code. The state returns the same array for the same code while that is cached. */
const ANALYSES = new WeakMap<Uint8Array, JumpAnalysis>();

/** True until {@link adoptInterpreter} was called. */
export function needsInterpreter(): boolean {
  return Library === undefined;
}

/** Takes the interpreter class from a frame that the library ran itself: there is no other way to get it. */
export function adoptInterpreter(runState: RunState | undefined): void {
  Library ??= runState?.interpreter.constructor as LibraryClass | undefined;
}

/**
 * Runs a frame with the library's opcodes and gas rules in a loop of its own. It behaves like the library's loop, but
 * awaits only opcodes that return a promise, analyses the jump targets of each code once, pauses for other work
 * where the EVM is told to, and shows listeners the memory of the run instead of a copy for each opcode.
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
    returnValue: result.returnValue ?? EMPTY_BYTES,
  };
}

/** @returns the error of a failed frame */
async function runCode(
  interpreter: LibraryInterpreter,
  runState: RunState,
  evm: DevnetEVM,
): Promise<EVMError | undefined> {
  const { code } = runState;
  const { opcodeTable: opcodes, common, turns } = evm;
  const isTold = evm.stepListeners.size > 0;
  /** words of memory that are counted as held */
  let held = 0n;
  turns?.hold(FRAME_BYTES);
  if (turns) evm.stepsToLook -= FRAME_STEPS;
  const analysis = ANALYSES.get(code);
  if (analysis) jumpBy(analysis, runState);
  try {
    while (runState.programCounter < code.length) {
      const opcode = code[runState.programCounter]!;
      if ((opcode === JUMP || opcode === JUMPI) && runState.shouldDoJumpAnalysis)
        jumpBy(analyse(interpreter, code), runState);
      runState.opCode = opcode;
      if (isTold) evm.stepsToLook -= TOLD_STEPS;
      if (turns && --evm.stepsToLook <= 0) {
        evm.stepsToLook = STEPS_A_LOOK;
        if (turns.due) await turns.pause();
      }
      const entry = opcodes[opcode]!;
      const info = entry.opcodeInfo;
      const words = runState.memoryWordCount;
      let gas = info.feeBigInt;
      try {
        if (opcode === MLOAD || opcode === MSTORE || opcode === MSTORE8)
          gas += memoryGas(runState, opcode === MSTORE8 ? 1n : 32n, common);
        else if (info.dynamicGas) {
          gas = await entry.gasHandler(runState, gas, common);
          if (turns) evm.stepsToLook -= Number(gas) / GAS_A_STEP;
        }
      } catch (error) {
        // Listeners are told of an opcode that can't be paid: here of one whose rule for gas finds that.
        if (isTold && error instanceof EVMError) await tell(evm, runState, { entry, gas, words });
        throw error;
      }
      if (isTold) {
        const told = tell(evm, runState, { entry, gas, words });
        if (told) await told;
      }
      if (info.isInvalid) throw new EVMError(INVALID_OPCODE);
      interpreter.useGas(gas, info);
      if (runState.memoryWordCount > words) {
        if (turns && runState.memoryWordCount > held) {
          turns.hold(32 * Number(runState.memoryWordCount - held));
          held = runState.memoryWordCount;
          // A run that holds too much is ended there, before it gets the memory.
          if (turns.due) await turns.pause();
        }
        if (makeRoom(runState)) evm.stepsToLook -= Number(runState.memoryWordCount) / WORDS_A_STEP;
      }
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
  } finally {
    turns?.hold(-FRAME_BYTES - 32 * Number(held));
  }
  return undefined;
}

/** Tells the listeners of an opcode. @param words of memory, before the opcode expands it */
function tell(
  evm: DevnetEVM,
  runState: RunState,
  { entry, gas, words }: { entry: Opcode; gas: bigint; words: bigint },
): Promise<void> | undefined {
  const { programCounter: pc, gasLeft, gasRefund, env, memory } = runState;
  const { code, fullName: name } = entry.opcodeInfo;
  const step: OpcodeStep = {
    pc,
    opcode: { code, name },
    cost: gas,
    gasLeft,
    gasRefund,
    depth: env.depth,
    address: env.address,
    stack: runState.stack.getStack(),
    memory: memory._store.subarray(0, 32 * Number(words)),
  };
  let told: Promise<void> | undefined;
  for (const listener of evm.stepListeners) told = told ? told.then(() => listener(step)) : listener(step);
  return told;
}

/** The library copies the whole memory for each 8 KiB that it grows by: it grows here. @returns whether it did */
function makeRoom({ memory, memoryWordCount }: RunState): boolean {
  const needed = 32 * Number(memoryWordCount);
  const { length } = memory._store;
  if (needed <= length) return false;
  const grown = new Uint8Array(Math.ceil(Math.max(needed, 1.25 * length) / ROOM) * ROOM);
  grown.set(memory._store);
  memory._store = grown;
  return true;
}

function jumpBy({ validJumps, cachedPushes }: JumpAnalysis, runState: RunState): void {
  runState.validJumps = validJumps;
  runState.cachedPushes = cachedPushes;
  runState.shouldDoJumpAnalysis = false;
}

function analyse(interpreter: LibraryInterpreter, code: Uint8Array): JumpAnalysis {
  const { jumps, pushes } = interpreter._getValidJumpDestinations(code);
  const analysis = { validJumps: jumps, cachedPushes: pushes };
  // Init code is a slice of memory or call data and runs once, so it isn't cached.
  if (!interpreter._env.isCreate) ANALYSES.set(code, analysis);
  return analysis;
}

/** MSTORE. The library's handler converts by way of hex text and spreads arrays, at over a microsecond each. */
function storeWord({ stack, memory }: RunState): void {
  const [offset, value] = stack.popN(2) as [bigint, bigint];
  memory.write(Number(offset), 32, integerWord(value));
}

/** Gas for expanding the memory to hold `size` bytes at the offset on top of the stack (yellow paper, appendix H). */
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
