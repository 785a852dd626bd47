import { type EVM, EVMError, type ExecResult } from '@ethereumjs/evm';
import { BlockLevelAccessList, equalsBytes } from '@ethereumjs/util';
import { accountStateGas, slotStateGas } from '../../protocol/state-gas.ts';
import { integerWord } from '../../state/integers.ts';
import type { Pauses } from '../../turns.ts';
import {
  type BeforeOpcode,
  CALLS,
  OpcodeStep,
  type OpcodeTable,
  type RunState,
  toAddress,
} from './opcode-step.ts';

type Opcode = OpcodeTable[number];

/** Receives the opcodes that the code of a run executes. The run awaits the promises. If one rejects, the run ends with the error. */
export interface OpcodeListener {
  /** the opcodes that are reported; absent = all opcodes, and the ends of frames */
  readonly opcodes?: ReadonlySet<number> | undefined;
  /** Called before each opcode, also before one that can't run. */
  step(step: OpcodeStep): Promise<void>;
  /** Called when an opcode that calls or creates has done so or was refused; not when the opcode has failed. */
  called?(): Promise<void>;
  /** Called when the code of a frame has ended, before its writes are rolled back if it failed. Not called for empty code. */
  codeEnds?(result: ExecResult): Promise<void> | undefined;
}

/** The minimum memory that a frame uses, in bytes: its stack, 8 KiB of EVM memory, and the library's objects. */
const FRAME_BYTES = 12 * 1024;
/** Memory that the library uses for each byte of a frame's code, in bytes: jump targets, pushed words and opcodes. */
const ANALYSIS_BYTES = 32;
/** The largest memory in words whose gas geth computes: 128 GiB. */
const MAX_WORDS = 2n ** 32n - 1n;
/** More gas than any opcode costs within that memory size. */
const AMPLE = 2n ** 62n;
/** Opcodes of constant gas between two checks of the clock: about a millisecond. */
const STEPS_A_LOOK = 2048;
const SSTORE = 0x55;
const SELFDESTRUCT = 0xff;
const CREATE2 = 0xf5;
/** CREATE, CREATE2 */
const CREATES = new Set([0xf0, CREATE2]);
/** STOP, RETURN, SELFDESTRUCT */
const ENDS = new Set([0x00, 0xf3, SELFDESTRUCT]);
const { OUT_OF_GAS } = EVMError.errorMessages;

/** Resources of an open frame. */
interface OpenFrame {
  /** memory that the frame uses, in bytes */
  bytes: number;
  /** EVM memory in words, which `bytes` includes */
  words: bigint;
  /** the last opcode that was executed */
  last: number | undefined;
}

/** The parts of an EVM that are read here. */
type GasOfRun = Pick<EVM, 'common' | 'stateGasReservoir' | 'executionStateGasUsed'> & {
  blockLevelAccessList?: BlockLevelAccessList;
};

/**
 * Wraps the gas rules of the opcodes in EthereumJS's interpreter, which the interpreter awaits, in order to report each opcode to a
 * listener, pause for other work, and count the memory of frames.
 *
 * The library also has an event for each step. That event lacks the gas that a call passes on, the refund before the opcode, the return
 * data of the last call, and the code of the frame.
 */
export class WatchedOpcodes {
  listener: OpcodeListener | undefined;
  /** If set, the run pauses for other work when its time slice is used up. */
  turns: Pauses | undefined;
  readonly table: OpcodeTable;
  readonly #frames: OpenFrame[] = [];
  readonly #evm: GasOfRun;
  #stepsToLook = STEPS_A_LOOK;

  /** @param table the library's opcodes */
  constructor(table: OpcodeTable, evm: GasOfRun) {
    this.#evm = evm;
    this.table = table.map((opcode) => this.#watch(opcode));
  }

  /** Whether a run that begins now has to use this table. */
  get isNeeded(): boolean {
    return this.turns !== undefined || this.listener !== undefined;
  }

  /** Runs the code of a frame. Checks the clock first, since the caller may have copied much data for the frame. */
  async frame(code: Uint8Array, run: () => Promise<ExecResult>): Promise<ExecResult> {
    if (!this.isNeeded) return run();
    const frame: OpenFrame = { bytes: 0, words: 0n, last: undefined };
    this.#frames.push(frame);
    this.#hold(frame, FRAME_BYTES + ANALYSIS_BYTES * code.length);
    try {
      if (this.turns?.due) await this.turns.pause();
      const result = await run();
      if (frame.last !== undefined) await this.#tellEnd(result, frame.last);
      return result;
    } finally {
      this.#frames.pop();
      this.#hold(frame, -frame.bytes);
    }
  }

  #hold(frame: OpenFrame, bytes: number): void {
    frame.bytes += bytes;
    this.turns?.hold(bytes);
  }

  #watch(opcode: Opcode): Opcode {
    const { opcodeInfo, opHandler } = opcode;
    const { code, dynamicGas } = opcodeInfo;
    const calls = CALLS.has(code) || CREATES.has(code);
    // The interpreter calls and awaits the gas rule only if the opcode's gas is dynamic.
    return {
      opcodeInfo: { ...opcodeInfo, dynamicGas: true },
      gasHandler: (runState, fee) =>
        dynamicGas || this.#tells(code) || --this.#stepsToLook < 0
          ? this.#charge(runState, opcode, fee)
          : fee,
      opHandler: calls
        ? async (runState, common) => {
            await opHandler(runState, common);
            await this.listener?.called?.();
          }
        : opHandler,
    } as Opcode;
  }

  #tells(opcode: number): boolean {
    const { listener } = this;
    return listener !== undefined && (listener.opcodes?.has(opcode) ?? true);
  }

  async #charge(runState: RunState, opcode: Opcode, fee: bigint): Promise<bigint> {
    this.#stepsToLook = STEPS_A_LOOK;
    const frame = this.#frames.at(-1)!;
    const before = this.#before(runState, runState.gasRefund);
    const { code, dynamicGas } = opcode.opcodeInfo;
    const tells = this.#tells(code);
    frame.last = code;
    let gas = fee;
    try {
      if (dynamicGas) gas = await opcode.gasHandler(runState, fee, this.#evm.common);
    } catch (error) {
      // Listeners are also told of an opcode whose gas can't be paid. Here its gas rule has detected that.
      if (error instanceof EVMError && tells) {
        const fault = await this.#faultOf(error.error, runState, opcode, fee, before);
        await this.#tell(runState, opcode, before, fault.cost, fault.halt);
      }
      throw error;
    }
    const { turns } = this;
    const { memoryWordCount: words, gasLeft } = runState;
    if (gas <= gasLeft && words > frame.words) {
      this.#hold(frame, 32 * Number(words - frame.words));
      frame.words = words;
    }
    if (tells) await this.#tellPriced(runState, opcode, before, gas, fee);
    // A run that uses too much memory is aborted here, before the memory is allocated.
    if (turns?.due) await turns.pause();
    return gas;
  }

  /** Reports an opcode whose gas rule has succeeded. */
  async #tellPriced(
    runState: RunState,
    opcode: Opcode,
    before: BeforeOpcode,
    gas: bigint,
    fee: bigint,
  ): Promise<void> {
    const { gasLeft, memoryWordCount, stateGasSpilled } = runState;
    // EIP-8037: a call that can't pay for the account that it would create. The library halts only when the opcode runs.
    if (runState.eip7928PostTargetCallOog) return this.#tell(runState, opcode, before, fee, OUT_OF_GAS);
    // Since EIP-7928 the library's rules for creations deduct their cost themselves.
    const cost = gas + before.gasLeft - gasLeft - (stateGasSpilled - before.spilled);
    // As in geth, the constant fee is checked first, and a cost beyond any possible gas isn't computed.
    if (fee > before.gasLeft || (cost > before.gasLeft && memoryWordCount > MAX_WORDS))
      return this.#tell(runState, opcode, before, fee, OUT_OF_GAS);
    const hasStateGas = this.#evm.common.isActivatedEIP(8037);
    const later = hasStateGas ? await this.#stateGasOf(opcode.opcodeInfo.code, runState) : 0n;
    const lacksGas = later > this.#evm.stateGasReservoir + gasLeft - gas;
    return this.#tell(runState, opcode, before, cost, lacksGas ? OUT_OF_GAS : undefined, later);
  }

  /**
   * The cost of an opcode whose gas rule has failed, and the reason of the halt.
   * @param halt EthereumJS's error message
   */
  async #faultOf(halt: string, runState: RunState, opcode: Opcode, fee: bigint, before: BeforeOpcode) {
    const { code } = opcode.opcodeInfo;
    const isTold = !this.#evm.blockLevelAccessList || CALLS.has(code) || fee > before.gasLeft;
    const { INITCODE_SIZE_VIOLATION } = EVMError.errorMessages;
    if (isTold || (halt !== OUT_OF_GAS && halt !== INITCODE_SIZE_VIOLATION)) return { cost: fee, halt };
    // Creations aren't priced with ample gas, since the library would then allocate the memory.
    if (CREATES.has(code)) return this.#faultOfCreation(halt, code, runState, fee, before);
    // EIP-2200: an SSTORE with no more gas than the stipend fails before its cost is computed.
    const sentry = this.#evm.common.param('sstoreSentryEIP2200Gas');
    if (code === SSTORE && before.gasLeft <= sentry) return { cost: fee, halt };
    return { cost: await this.#unpaidCost(runState, opcode, fee, before), halt };
  }

  /**
   * The cost and the halt of a creation that can't be paid or has too much init code (EIP-3860). Since EIP-7928 the library checks the size
   * first.
   */
  #faultOfCreation(
    halt: string,
    code: number,
    { stack }: RunState,
    fee: bigint,
    { words, gasLeft }: BeforeOpcode,
  ) {
    const [, offset, length] = stack.peek(3) as [bigint, bigint, bigint];
    const grown = length === 0n ? words : (offset + length + 31n) / 32n;
    const memory = grown > words ? memoryGas(grown) - memoryGas(words) : 0n;
    const { common } = this.#evm;
    const perWord =
      common.param('initCodeWordGas') + (code === CREATE2 ? common.param('keccak256WordGas') : 0n);
    const cost = fee + memory + ((length + 31n) / 32n) * perWord;
    if (cost <= gasLeft) return { cost, halt };
    // As in geth, a cost beyond any possible gas isn't computed.
    return { cost: grown > MAX_WORDS ? fee : cost, halt: OUT_OF_GAS };
  }

  /**
   * The cost of an opcode that can't be paid. Since EIP-7928 the library's rules don't tell it, so the rule is run again with ample gas.
   * The frame has failed already, so the only lasting effect would be in the access list, which is replaced for that time.
   */
  async #unpaidCost(runState: RunState, opcode: Opcode, fee: bigint, before: BeforeOpcode): Promise<bigint> {
    const evm = this.#evm;
    const list = evm.blockLevelAccessList!;
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

  #before(runState: RunState, refund: bigint): BeforeOpcode {
    const { memoryWordCount: words, gasLeft, stateGasSpilled: spilled } = runState;
    const { stateGasReservoir: reservoir, executionStateGasUsed: stateGasUsed } = this.#evm;
    return { words, refund, gasLeft, spilled, reservoir, stateGasUsed };
  }

  /** State gas that an opcode charges when it runs, not in its gas rule; negative if state gas is returned (EIP-8037). */
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
    const beneficiary = toAddress(stack.peek(1)[0]!);
    if (equalsBytes(beneficiary.bytes, env.address.bytes)) return 0n;
    const account = await stateManager.getAccount(beneficiary);
    return !account || account.isEmpty() ? accountStateGas(common) : 0n;
  }

  /** @param halt why the opcode doesn't run @param later state gas that the opcode will charge when it runs */
  async #tell(
    runState: RunState,
    { opcodeInfo }: Opcode,
    before: BeforeOpcode,
    cost: bigint,
    halt?: string,
    later = 0n,
  ): Promise<void> {
    const { common, executionStateGasUsed } = this.#evm;
    // An opcode that can't be paid is charged no state gas.
    const stateGas = halt === undefined ? executionStateGasUsed - before.stateGasUsed + later : 0n;
    await this.listener!.step(
      new OpcodeStep(opcodeInfo.fullName, runState, before, {
        ...{ cost, refund: runState.gasRefund, halt },
        ...(common.isActivatedEIP(8037) && { stateGas }),
      }),
    );
  }

  /** Reports the end of a frame's code. If code ends without STOP, reports the implicit STOP first, for which the library has no step. */
  async #tellEnd(result: ExecResult, last: number): Promise<void> {
    const { listener } = this;
    const { runState, exceptionError, gasRefund: refund = 0n } = result;
    if (!listener || listener.opcodes || !runState) return;
    if (!exceptionError && !ENDS.has(last)) {
      const charge = { cost: 0n, refund, ...(this.#evm.common.isActivatedEIP(8037) && { stateGas: 0n }) };
      await listener.step(new OpcodeStep('STOP', runState, this.#before(runState, refund), charge));
    }
    await listener.codeEnds?.(result);
  }
}

/** The gas cost of a memory of this many words (yellow paper, appendix H). */
const memoryGas = (words: bigint): bigint => 3n * words + words ** 2n / 512n;
