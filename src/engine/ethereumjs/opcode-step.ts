import { type EVM, EVMError, type ExecResult } from '@ethereumjs/evm';
import { Address, bigIntToAddressBytes } from '@ethereumjs/util';
import { integerOf, integerWord } from '../../state/integers.ts';
import { type Awaitable, andThen } from '../../state/view.ts';
import type { RunStep, StepFrame } from '../run-listener.ts';
import type { EngineState } from './engine-state.ts';

/** The state that opcode handlers work on. The library doesn't export the type by name. */
export type RunState = NonNullable<ExecResult['runState']>;
/** Handlers and gas rules by opcode. */
export type OpcodeTable = EVM['_opcodeMap'];

/** CALL, CALLCODE, DELEGATECALL, STATICCALL */
export const CALLS: ReadonlySet<number> = new Set([0xf1, 0xf2, 0xf4, 0xfa]);

/** The values that the gas rule of an opcode may change, before the rule ran. */
export interface BeforeOpcode {
  /** words of memory */
  readonly words: bigint;
  readonly refund: bigint;
  readonly gasLeft: bigint;
  /** how much of the frame's regular gas was used as state gas (EIP-8037) */
  readonly spilled: bigint;
  readonly reservoir: bigint;
  readonly stateGasUsed: bigint;
}

/** What the gas rule of an opcode has computed. */
interface Charge {
  /** gas of the opcode, without the gas that a call passes on */
  readonly cost: bigint;
  /** refund counter of the run, including the opcode itself */
  readonly refund: bigint;
  /** absent without EIP-8037 */
  readonly stateGas?: bigint | undefined;
  /** why the opcode doesn't run: EthereumJS's error message */
  readonly halt?: string | undefined;
}

/** A step of EthereumJS's EVM. */
export class OpcodeStep implements RunStep {
  readonly name: string;
  readonly runState: RunState;
  readonly #before: BeforeOpcode;
  readonly #charge: Charge;

  constructor(name: string, runState: RunState, before: BeforeOpcode, charge: Charge) {
    this.name = name;
    this.runState = runState;
    this.#before = before;
    this.#charge = charge;
  }

  get cost(): bigint {
    return this.#charge.cost;
  }

  get gasLeft(): bigint {
    return this.#before.gasLeft;
  }

  get isOutOfGas(): boolean {
    return this.cost > this.gasLeft || this.#charge.halt === EVMError.errorMessages.OUT_OF_GAS;
  }

  /** Whether the opcode can't run. */
  get isHalted(): boolean {
    return this.isOutOfGas || this.#charge.halt !== undefined;
  }

  get passedGas(): bigint {
    // If the opcode isn't a call, `messageGasLimit` may still be that of the previous call.
    const passes = CALLS.has(this.opcode) && this.#charge.halt === undefined;
    return passes ? (this.runState.messageGasLimit ?? 0n) : 0n;
  }

  get refund(): bigint {
    return this.#charge.refund;
  }

  get refundBefore(): bigint {
    return this.#before.refund;
  }

  get stateGas(): RunStep['stateGas'] {
    const { stateGas: cost } = this.#charge;
    return cost === undefined ? undefined : { reservoir: this.#before.reservoir, cost };
  }

  /** The byte in the code: the library has one entry for all opcodes that it doesn't know, so the entry doesn't tell the opcode. */
  get opcode(): number {
    return this.runState.code[this.pc] ?? 0;
  }

  get pc(): number {
    return this.runState.programCounter;
  }

  get isBehindCode(): boolean {
    return this.pc >= this.runState.code.length;
  }

  get depth(): number {
    return this.runState.env.depth;
  }

  get address(): Address {
    return this.runState.env.address;
  }

  get stackHeight(): number {
    return this.runState.stack.length;
  }

  word(n: number): bigint | undefined {
    return this.stack().at(-n);
  }

  stack(): readonly bigint[] {
    return this.runState.stack.getStack();
  }

  /** Zero-padded to the size that is paid for: the library expands memory only when something is written, but a call may pay for more. */
  memory(): Uint8Array {
    return bytesAt(this.runState.memory._store, 0, 32 * Number(this.#before.words));
  }

  returnData(): Uint8Array {
    return this.runState.returnBytes;
  }

  slotValue(): Awaitable<bigint> {
    const { overlay } = this.runState.stateManager as EngineState;
    return andThen(overlay.getStorage(this.address, integerWord(this.word(1) ?? 0n)), integerOf);
  }

  frame(): StepFrame {
    const { env, code } = this.runState;
    return { caller: env.caller, value: env.callValue, input: env.callData, code };
  }
}

/** Bytes of a memory. Beyond the allocated part they are zeros in a copy; otherwise the result is a view, which changes later. */
export function bytesAt(room: Uint8Array, offset: number, length: number): Uint8Array {
  if (offset + length <= room.length) return room.subarray(offset, offset + length);
  const bytes = new Uint8Array(length);
  bytes.set(room.subarray(offset, offset + length));
  return bytes;
}

/** The address in a word: its last 20 bytes. */
export function toAddress(word: bigint): Address {
  return new Address(bigIntToAddressBytes(BigInt.asUintN(160, word)));
}
