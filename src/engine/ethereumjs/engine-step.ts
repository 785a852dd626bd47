import type { Address } from '@ethereumjs/util';
import { integerOf, integerWord } from '../../state/integers.ts';
import { type Awaitable, andThen, type StateView } from '../../state/view.ts';
import type { RunStep, StepFrame } from '../run-listener.ts';
import type { OpcodeStep, RunState } from './watched-opcodes.ts';

/** A step of EthereumJS's EVM. */
export class EngineStep implements RunStep {
  readonly #step: OpcodeStep;
  readonly #runState: RunState;
  readonly #now: StateView;

  constructor(step: OpcodeStep, runState: RunState, now: StateView) {
    this.#step = step;
    this.#runState = runState;
    this.#now = now;
  }

  /** The library has one entry for all opcodes that it doesn't know, so this is the byte in the code. */
  get opcode(): number {
    return this.#runState.code[this.pc] ?? 0;
  }

  get name(): string {
    return this.#step.opcode.name;
  }

  get pc(): number {
    return this.#step.pc;
  }

  get isBehindCode(): boolean {
    return this.pc >= this.#runState.code.length;
  }

  get depth(): number {
    return this.#step.depth;
  }

  get address(): Address {
    return this.#step.address;
  }

  get gasLeft(): bigint {
    return this.#step.gasLeft;
  }

  get cost(): bigint {
    return this.#step.cost;
  }

  get passedGas(): bigint {
    return this.#step.callGas ?? 0n;
  }

  get isOutOfGas(): boolean {
    const { cost, gasLeft, halt } = this.#step;
    return cost > gasLeft || halt === 'out of gas';
  }

  get refund(): bigint {
    return this.#step.gasRefund;
  }

  get refundBefore(): bigint {
    return this.#step.refundBefore;
  }

  get stateGas(): RunStep['stateGas'] {
    return this.#step.stateGas;
  }

  get stackHeight(): number {
    return this.#step.stack.length;
  }

  word(n: number): bigint | undefined {
    return this.#step.stack.at(-n);
  }

  stack(): readonly bigint[] {
    return this.#step.stack;
  }

  memory(): Uint8Array {
    return this.#step.memory;
  }

  returnData(): Uint8Array {
    return this.#runState.returnBytes;
  }

  slotValue(): Awaitable<bigint> {
    return andThen(this.#now.getStorage(this.address, integerWord(this.word(1) ?? 0n)), integerOf);
  }

  frame(): StepFrame {
    const { env, code } = this.#runState;
    return { caller: env.caller, value: env.callValue, input: env.callData, code };
  }
}

/** The step of the STOP that follows on code that has ended without one. @param reservoir of state gas; absent before EIP-8037 */
export function stopBehind(runState: RunState, refund: bigint, reservoir: bigint | undefined): OpcodeStep {
  const { programCounter: pc, gasLeft, env, memory, memoryWordCount, stack } = runState;
  return {
    ...{ pc, gasLeft, gasRefund: refund, refundBefore: refund, cost: 0n },
    opcode: { code: 0, name: 'STOP' },
    ...{ depth: env.depth, address: env.address, stack: stack.getStack() },
    memory: memory.read(0, 32 * Number(memoryWordCount), true),
    ...(reservoir !== undefined && { stateGas: { reservoir, cost: 0n } }),
  };
}
