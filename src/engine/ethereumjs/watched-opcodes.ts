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

/** Hears of what the code of a run does. The run waits for the promises, and ends with what they throw. */
export interface OpcodeListener {
  /** those that it hears of; absent = all, and the ends of frames */
  readonly opcodes?: ReadonlySet<number> | undefined;
  /** Before each opcode, also one that can't begin. */
  step(step: OpcodeStep): Promise<void>;
  /** When an opcode that calls or creates has done so, or was refused; not when it has failed. */
  called?(): Promise<void>;
  /** When the code of a frame has ended, before what it wrote is taken back if it failed. Not told of empty code. */
  codeEnds?(result: ExecResult): Promise<void> | undefined;
}

/** What a frame holds at least, in bytes: its stack, 8 KiB of memory, and what the library keeps for it. */
const FRAME_BYTES = 12 * 1024;
/** What the library keeps for each byte of a frame's code: targets of jumps, pushed words and opcodes, in bytes. */
const ANALYSIS_BYTES = 32;
/** Words of the largest memory whose gas geth tells: 128 GiB. */
const MOST_WORDS = 2n ** 32n - 1n;
/** More gas than any opcode costs whose memory geth tells the gas of. */
const AMPLE = 2n ** 62n;
/** Opcodes of constant gas between two looks at the clock: about a millisecond. */
const STEPS_A_LOOK = 2048;
const SSTORE = 0x55;
const SELFDESTRUCT = 0xff;
const CREATE2 = 0xf5;
/** CREATE, CREATE2 */
const CREATES = new Set([0xf0, CREATE2]);
/** STOP, RETURN, SELFDESTRUCT */
const ENDS = new Set([0x00, 0xf3, SELFDESTRUCT]);
const { OUT_OF_GAS } = EVMError.errorMessages;

/** What is counted of an open frame. */
interface OpenFrame {
  /** that it holds */
  bytes: number;
  /** of memory, among them */
  words: bigint;
  /** the opcode that began last */
  last: number | undefined;
}

/** What is looked at of an EVM. */
type GasOfRun = Pick<EVM, 'common' | 'stateGasReservoir' | 'executionStateGasUsed'> & {
  blockLevelAccessList?: BlockLevelAccessList;
};

/**
 * Stands before the opcodes of a run in EthereumJS's interpreter, by way of their gas rules, which the interpreter awaits:
 * tells a listener of each opcode, pauses for other work, and counts the memory of frames.
 *
 * The library has an event for each step too. It doesn't tell the gas that a call passes on, refunds before the opcode, the data
 * that the last call has returned, and the code of the frame.
 */
export class WatchedOpcodes {
  listener: OpcodeListener | undefined;
  /** When set: the run pauses for other work when its time slice is used up. */
  turns: Pauses | undefined;
  readonly table: OpcodeTable;
  readonly #frames: OpenFrame[] = [];
  readonly #evm: GasOfRun;
  #stepsToLook = STEPS_A_LOOK;

  /** @param table of the library */
  constructor(table: OpcodeTable, evm: GasOfRun) {
    this.#evm = evm;
    this.table = table.map((opcode) => this.#watch(opcode));
  }

  /** Whether a run that begins now needs the table. */
  get isNeeded(): boolean {
    return this.turns !== undefined || this.listener !== undefined;
  }

  /** Runs the code of a frame. It looks at the clock first, since the caller may have copied much data for it. */
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
    // The interpreter asks a rule for the gas, and awaits its answer, only where the gas is dynamic.
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
      // Listeners are told of an opcode that can't be paid, too: here of one whose rule for gas finds that.
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
    // A run that holds too much is ended here, before it gets the memory.
    if (turns?.due) await turns.pause();
    return gas;
  }

  /** Tells of an opcode whose rule has found its gas. */
  async #tellPriced(
    runState: RunState,
    opcode: Opcode,
    before: BeforeOpcode,
    gas: bigint,
    fee: bigint,
  ): Promise<void> {
    const { gasLeft, memoryWordCount, stateGasSpilled } = runState;
    // A call that can't pay for the account that it would create (EIP-8037): the library halts only when it runs the opcode.
    if (runState.eip7928PostTargetCallOog) return this.#tell(runState, opcode, before, fee, OUT_OF_GAS);
    // Since EIP-7928 the rules for creations charge what they cost themselves.
    const cost = gas + before.gasLeft - gasLeft - (stateGasSpilled - before.spilled);
    // What can't be paid is told as in geth, which looks at the fee first, and doesn't count what no gas pays for.
    if (fee > before.gasLeft || (cost > before.gasLeft && memoryWordCount > MOST_WORDS))
      return this.#tell(runState, opcode, before, fee, OUT_OF_GAS);
    const hasStateGas = this.#evm.common.isActivatedEIP(8037);
    const later = hasStateGas ? await this.#stateGasOf(opcode.opcodeInfo.code, runState) : 0n;
    const lacksGas = later > this.#evm.stateGasReservoir + gasLeft - gas;
    return this.#tell(runState, opcode, before, cost, lacksGas ? OUT_OF_GAS : undefined, later);
  }

  /**
   * What an opcode costs whose rule for gas has failed, and why it halts.
   * @param halt EthereumJS's name of the fault
   */
  async #faultOf(halt: string, runState: RunState, opcode: Opcode, fee: bigint, before: BeforeOpcode) {
    const { code } = opcode.opcodeInfo;
    const isTold = !this.#evm.blockLevelAccessList || CALLS.has(code) || fee > before.gasLeft;
    const { INITCODE_SIZE_VIOLATION } = EVMError.errorMessages;
    if (isTold || (halt !== OUT_OF_GAS && halt !== INITCODE_SIZE_VIOLATION)) return { cost: fee, halt };
    // With ample gas the library would get the memory.
    if (CREATES.has(code)) return this.#faultOfCreation(halt, code, runState, fee, before);
    // The sentry of EIP-2200 stops an SSTORE before it is known what it costs.
    const sentry = this.#evm.common.param('sstoreSentryEIP2200Gas');
    if (code === SSTORE && before.gasLeft <= sentry) return { cost: fee, halt };
    return { cost: await this.#unpaidCost(runState, opcode, fee, before), halt };
  }

  /** A creation that can't be paid, or has more init code than is allowed (EIP-3860): since EIP-7928 the library looks at that first. */
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
    // As in geth: what no gas pays for isn't counted.
    return { cost: grown > MOST_WORDS ? fee : cost, halt: OUT_OF_GAS };
  }

  /**
   * What an opcode costs that can't be paid. Since EIP-7928 the library's rules don't tell it, but with ample gas. The frame has failed, so
   * that nothing stays of that but what it accesses.
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
    const heir = toAddress(stack.peek(1)[0]!);
    if (equalsBytes(heir.bytes, env.address.bytes)) return 0n;
    const account = await stateManager.getAccount(heir);
    return !account || account.isEmpty() ? accountStateGas(common) : 0n;
  }

  /** @param halt why the opcode doesn't run @param later state gas that it is going to charge */
  async #tell(
    runState: RunState,
    { opcodeInfo }: Opcode,
    before: BeforeOpcode,
    cost: bigint,
    halt?: string,
    later = 0n,
  ): Promise<void> {
    const { common, executionStateGasUsed } = this.#evm;
    // What can't be paid is charged no state gas.
    const stateGas = halt === undefined ? executionStateGasUsed - before.stateGasUsed + later : 0n;
    await this.listener!.step(
      new OpcodeStep(opcodeInfo.fullName, runState, before, {
        ...{ cost, refund: runState.gasRefund, halt },
        ...(common.isActivatedEIP(8037) && { stateGas }),
      }),
    );
  }

  /** Tells of the end of a frame's code, and before of the STOP behind code that ends without one, for which the library has no step. */
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

/** The gas of a memory (yellow paper, appendix H). */
const memoryGas = (words: bigint): bigint => 3n * words + words ** 2n / 512n;
