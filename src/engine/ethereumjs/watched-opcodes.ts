import { type EVM, EVMError, type ExecResult } from '@ethereumjs/evm';
import { Address, BlockLevelAccessList, bigIntToAddressBytes, equalsBytes } from '@ethereumjs/util';
import { accountStateGas, slotStateGas } from '../../protocol/state-gas.ts';
import { integerWord } from '../../state/integers.ts';
import type { Pauses } from '../../turns.ts';
import type { RunStep } from '../run-listener.ts';

/** The state that opcode handlers work on. The library doesn't export the type by name. */
export type RunState = NonNullable<ExecResult['runState']>;
/** Handlers and gas rules by opcode. */
export type OpcodeTable = EVM['_opcodeMap'];
type Opcode = OpcodeTable[number];

/** What a frame is about to do. */
export interface OpcodeStep {
  readonly pc: number;
  readonly opcode: { readonly code: number; readonly name: string };
  /** gas of the opcode, without that which a call passes on */
  readonly cost: bigint;
  readonly gasLeft: bigint;
  /** with that of the opcode itself */
  readonly gasRefund: bigint;
  /** before the opcode */
  readonly refundBefore: bigint;
  /** 0 for the outermost frame */
  readonly depth: number;
  /** whose storage the opcode works on */
  readonly address: Address;
  /** bottom first */
  readonly stack: readonly bigint[];
  /** gas that a call passes on, in addition to the cost */
  readonly callGas?: bigint;
  /** EIP-8037: see {@link RunStep.stateGas} */
  readonly stateGas?: RunStep['stateGas'];
  /** why the opcode's gas can't be told, by EthereumJS's name: the opcode doesn't run */
  readonly halt?: string;
  /** the run's own memory, before the opcode expands it: it changes when the opcode runs */
  readonly memory: Uint8Array;
}

/** The run waits for the promise, and ends with what it throws. */
export type OpcodeListener = (step: OpcodeStep, runState: RunState) => Promise<void> | undefined;

/** Opcodes between two checks of the clock: about a millisecond. */
const STEPS_A_LOOK = 2048;
/** For an opcode with dynamic gas, this much gas counts as one step. */
const GAS_A_STEP = 16;
/** The time that a listener takes for a step, in steps. */
const TOLD_STEPS = 64;
/** Words of memory that are copied in the time of one step. The library copies the memory whenever it grows by 8 KiB. */
const WORDS_A_STEP = 64;
/** What a frame holds at least, in bytes: its stack, 8 KiB of memory, and what the library keeps for it. */
const FRAME_BYTES = 12 * 1024;
/** What the library keeps for each byte of a frame's code once that jumps: targets, pushed words and opcodes, in bytes. */
const ANALYSIS_BYTES = 32;
/** Words of the largest memory whose gas geth tells: 128 GiB. */
const MOST_WORDS = 2n ** 32n - 1n;
/** More gas than any opcode costs whose memory geth tells the gas of. */
const AMPLE = 2n ** 62n;
/** CALL, CALLCODE, DELEGATECALL, STATICCALL */
const CALLS = new Set([0xf1, 0xf2, 0xf4, 0xfa]);
const SSTORE = 0x55;
const JUMP = 0x56;
const JUMPI = 0x57;
const SELFDESTRUCT = 0xff;

/** What the rule for an opcode's gas changes. */
interface Before {
  /** of memory */
  readonly words: bigint;
  readonly refund: bigint;
  readonly gasLeft: bigint;
  /** how much of the frame's gas was used as state gas (EIP-8037) */
  readonly spilled: bigint;
  readonly reservoir: bigint;
  readonly stateGasUsed: bigint;
}

/** What is counted of an open frame. */
interface OpenFrame {
  /** that it holds */
  bytes: number;
  /** of memory, among them */
  words: bigint;
  hasJumped: boolean;
}

/** What is looked at of an EVM. */
type GasOfRun = Pick<EVM, 'common' | 'stateGasReservoir' | 'executionStateGasUsed'> & {
  blockLevelAccessList?: BlockLevelAccessList;
};

/**
 * Stands before the opcodes of a run in EthereumJS's interpreter, by way of their gas rules, which the interpreter awaits:
 * tells listeners of each opcode, pauses for other work, and counts the memory of frames.
 *
 * The library has an event for each step too, but copies the whole memory for each.
 */
export class WatchedOpcodes {
  readonly listeners = new Set<OpcodeListener>();
  /** When set: the run pauses for other work when its time slice is used up. */
  turns: Pauses | undefined;
  readonly table: OpcodeTable;
  /** opcodes until the next check of the clock */
  #stepsToLook = 0;
  readonly #frames: OpenFrame[] = [];
  readonly #evm: GasOfRun;

  /** @param table of the library */
  constructor(table: OpcodeTable, evm: GasOfRun) {
    this.#evm = evm;
    const watched = new Map([...new Set(table)].map((opcode) => [opcode, this.#watch(opcode)]));
    this.table = table.map((opcode) => watched.get(opcode)!);
  }

  /** Whether a run that begins now needs the table. */
  get isNeeded(): boolean {
    return this.turns !== undefined || this.listeners.size > 0;
  }

  /** Runs a frame. It looks at the clock first, since the caller may have copied much data for it. */
  async frame<T>(run: () => Promise<T>): Promise<T> {
    const { turns } = this;
    if (!turns) return run();
    const frame = { bytes: 0, words: 0n, hasJumped: false };
    this.#frames.push(frame);
    this.#hold(turns, frame, FRAME_BYTES);
    try {
      if (turns.due) await turns.pause();
      return await run();
    } finally {
      this.#frames.pop();
      turns.hold(-frame.bytes);
    }
  }

  #hold(turns: Pauses, frame: OpenFrame, bytes: number): void {
    frame.bytes += bytes;
    turns.hold(bytes);
  }

  #watch(opcode: Opcode): Opcode {
    const { opcodeInfo, opHandler } = opcode;
    const { code, dynamicGas } = opcodeInfo;
    const gasHandler = dynamicGas
      ? this.#dynamic(opcode)
      : (runState: RunState, gas: bigint): bigint | Promise<bigint> => {
          if (code === JUMP || code === JUMPI) this.#countAnalysis(runState);
          const waits = this.#before(runState, opcode, gas, this.#stateBefore(runState));
          return waits ? waits.then(() => gas) : gas;
        };
    // The interpreter asks a rule for the gas, and awaits its answer, only where the gas is dynamic.
    return { opHandler, opcodeInfo: { ...opcodeInfo, dynamicGas: true }, gasHandler } as Opcode;
  }

  #dynamic(opcode: Opcode): Opcode['gasHandler'] {
    return async (runState, fee, common) => {
      const before = this.#stateBefore(runState);
      const { words } = before;
      let gas: bigint;
      try {
        gas = await opcode.gasHandler(runState, fee, common);
      } catch (error) {
        // Listeners are told of an opcode that can't be paid: here of one whose rule for gas finds that.
        if (error instanceof EVMError && this.listeners.size > 0) {
          const isUnpaid = error.error === EVMError.errorMessages.OUT_OF_GAS;
          const cost = isUnpaid ? await this.#costOfFault(runState, opcode, fee, before) : fee;
          await this.#tell(runState, opcode, cost, before, error.error);
        }
        throw error;
      }
      await this.#count(runState, gas, words);
      const { memoryWordCount } = runState;
      // Since EIP-7928 the rules for creations charge what they cost themselves.
      const spill = runState.stateGasSpilled - before.spilled;
      const cost = gas + before.gasLeft - runState.gasLeft - spill;
      // What can't be paid is told as in geth, which looks at the fee first, and doesn't count what no gas pays for.
      if (fee > before.gasLeft || (cost > before.gasLeft && memoryWordCount > MOST_WORDS)) {
        await this.#tell(runState, opcode, fee, before, EVMError.errorMessages.OUT_OF_GAS);
        return gas;
      }
      const isTold = this.listeners.size > 0 && this.#evm.common.isActivatedEIP(8037);
      const later = isTold ? await this.#stateGasOf(opcode.opcodeInfo.code, runState) : 0n;
      const lacksGas = later > this.#evm.stateGasReservoir + runState.gasLeft - gas;
      const halt = lacksGas ? EVMError.errorMessages.OUT_OF_GAS : undefined;
      await this.#before(runState, opcode, cost, before, later, halt);
      return gas;
    };
  }

  /**
   * What an opcode costs that can't be paid. Since EIP-7928 the library's rules don't tell it, but with ample gas. The frame has failed, so
   * that nothing stays of that but what it accesses.
   */
  async #costOfFault(runState: RunState, opcode: Opcode, fee: bigint, before: Before): Promise<bigint> {
    const evm = this.#evm;
    const { code } = opcode.opcodeInfo;
    if (!evm.blockLevelAccessList || CALLS.has(code) || fee > before.gasLeft) return fee;
    const list = evm.blockLevelAccessList;
    const { gasLeft } = runState;
    evm.blockLevelAccessList = new BlockLevelAccessList();
    runState.gasLeft = AMPLE;
    try {
      const gas = await opcode.gasHandler(runState, fee, evm.common);
      return gas + AMPLE - runState.gasLeft - (runState.stateGasSpilled - before.spilled);
    } catch (error) {
      if (error instanceof EVMError) return fee;
      throw error;
    } finally {
      runState.gasLeft = gasLeft;
      evm.blockLevelAccessList = list;
    }
  }

  #stateBefore({
    memoryWordCount: words,
    gasRefund: refund,
    gasLeft,
    stateGasSpilled: spilled,
  }: RunState): Before {
    const { stateGasReservoir: reservoir, executionStateGasUsed: stateGasUsed } = this.#evm;
    return { words, refund, gasLeft, spilled, reservoir, stateGasUsed };
  }

  /** The state gas that an opcode charges when it runs, and not by its rule for gas; below 0 where some comes back (EIP-8037). */
  async #stateGasOf(code: number, { interpreter, env, stack, stateManager }: RunState): Promise<bigint> {
    const { common } = this.#evm;
    if (code === SSTORE) {
      const [slot, value] = stack.peek(2) as [bigint, bigint];
      const key = integerWord(slot);
      if ((await interpreter.storageLoad(key, true, false)).length > 0) return 0n;
      const isSet = (await interpreter.storageLoad(key, false, false)).length > 0;
      if (isSet === value > 0n) return 0n;
      return isSet ? -slotStateGas(common) : slotStateGas(common);
    }
    if (code !== SELFDESTRUCT || env.contract.balance === 0n) return 0n;
    const heir = addressOf(stack.peek(1)[0]!);
    if (equalsBytes(heir.bytes, env.address.bytes)) return 0n;
    const account = await stateManager.getAccount(heir);
    return !account || account.isEmpty() ? accountStateGas(common) : 0n;
  }

  /** Counts gas as steps, and the memory that the frame is going to have. */
  #count({ gasLeft, memoryWordCount }: RunState, gas: bigint, words: bigint): Promise<void> | undefined {
    const { turns } = this;
    const frame = this.#frames.at(-1);
    if (!turns || !frame) return undefined;
    this.#stepsToLook -= Number(gas) / GAS_A_STEP;
    if (memoryWordCount === words || gas > gasLeft) return undefined;
    this.#stepsToLook -= Number(memoryWordCount) / WORDS_A_STEP;
    if (memoryWordCount <= frame.words) return undefined;
    this.#hold(turns, frame, 32 * Number(memoryWordCount - frame.words));
    frame.words = memoryWordCount;
    // A run that holds too much is ended here, before it gets the memory.
    return turns.due ? turns.pause() : undefined;
  }

  /** Counts what the first jump of a frame makes the library keep. */
  #countAnalysis({ code }: RunState): void {
    const { turns } = this;
    const frame = this.#frames.at(-1);
    if (!turns || !frame || frame.hasJumped) return;
    frame.hasJumped = true;
    this.#hold(turns, frame, ANALYSIS_BYTES * code.length);
  }

  /** @param later state gas that the opcode is going to charge @param halt why it doesn't run */
  #before(
    runState: RunState,
    opcode: Opcode,
    gas: bigint,
    before: Before,
    later = 0n,
    halt?: string,
  ): Promise<void> | undefined {
    const told = this.listeners.size > 0 ? this.#tell(runState, opcode, gas, before, halt, later) : undefined;
    if (--this.#stepsToLook > 0) return told;
    this.#stepsToLook = STEPS_A_LOOK;
    const { turns } = this;
    if (!turns) return told;
    if (told) return told.then(() => (turns.due ? turns.pause() : undefined));
    return turns.due ? turns.pause() : undefined;
  }

  /** @param halt why the opcode doesn't run @param later state gas that it is going to charge */
  #tell(
    runState: RunState,
    { opcodeInfo }: Opcode,
    gas: bigint,
    { words, refund, gasLeft, reservoir, stateGasUsed }: Before,
    halt?: string,
    later = 0n,
  ): Promise<void> | undefined {
    const { programCounter: pc, gasRefund, env, memory, messageGasLimit } = runState;
    const { code, fullName: name } = opcodeInfo;
    const step: OpcodeStep = {
      pc,
      opcode: { code, name },
      cost: gas,
      gasLeft,
      gasRefund,
      refundBefore: refund,
      depth: env.depth,
      address: env.address,
      stack: runState.stack.getStack(),
      memory: memoryOf(memory._store, 32 * Number(words)),
      ...(this.#evm.common.isActivatedEIP(8037) && {
        // What can't be paid is charged no state gas.
        stateGas: {
          reservoir,
          cost: halt === undefined ? this.#evm.executionStateGasUsed - stateGasUsed + later : 0n,
        },
      }),
      ...(halt !== undefined && { halt }),
      // Of the call that was made last, where this opcode is none.
      ...(CALLS.has(code) && halt === undefined && { callGas: messageGasLimit ?? 0n }),
    };
    this.#stepsToLook -= TOLD_STEPS;
    let told: Promise<void> | undefined;
    for (const listener of this.listeners)
      told = told ? told.then(() => listener(step, runState)) : listener(step, runState);
    return told;
  }
}

function addressOf(word: bigint): Address {
  return new Address(bigIntToAddressBytes(BigInt.asUintN(160, word)));
}

/** The first bytes of a memory. The library makes room for them only when something is written: a call that returns nothing may have paid for more. */
function memoryOf(room: Uint8Array, size: number): Uint8Array {
  if (size <= room.length) return room.subarray(0, size);
  const memory = new Uint8Array(size);
  memory.set(room);
  return memory;
}
