import { Address } from '@ethereumjs/util';
import * as halts from '../../core/memory/halts.ts';
import * as at from '../../core/memory/layout.ts';
import * as entry from '../../core/state/entries.ts';
import { OPCODE_NAMES } from '../../protocol/opcode-names.ts';
import { EMPTY_BYTES } from '../../state/account.ts';
import type { RunStep, StepFrame } from '../run-listener.ts';
import type { Executor } from './executor.ts';
import type { LinearMemory } from './linear-memory.ts';

const WORD = 32;
/** src/core/evm/opcode-rows.ts */
const ROW_SIZE = 8;
const ROW_BITS = 6;
const IS_INVALID = 4;

/** The step that the core reports. One object serves all steps, and reads the requested values lazily from the memory. */
export class CoreStep implements RunStep {
  readonly #executor: Executor;
  readonly #memory: LinearMemory;
  /** the account whose address was read last: usually the next step has the same one */
  #self = 0;
  #address: Address | undefined;

  constructor(executor: Executor) {
    this.#executor = executor;
    this.#memory = executor.memory;
  }

  get opcode(): number {
    return this.#memory.u32(at.STEP_OPCODE);
  }

  get name(): string {
    const { opcode } = this;
    const bits = this.#memory.u32(at.OPCODE_ROWS + ROW_SIZE * opcode + ROW_BITS - 2) >>> 16;
    return bits & IS_INVALID ? 'INVALID' : OPCODE_NAMES[opcode]!;
  }

  get pc(): number {
    return this.#memory.u32(at.STEP_PC);
  }

  get isBehindCode(): boolean {
    return this.pc >= this.#memory.u32(at.STEP_CODE_SIZE);
  }

  get depth(): number {
    return this.#memory.u32(at.STEP_DEPTH);
  }

  get address(): Address {
    const self = this.#memory.u32(at.STEP_SELF);
    if (self !== this.#self || !this.#address) {
      this.#self = self;
      this.#address = new Address(this.#executor.addressOf(self));
    }
    return this.#address;
  }

  get gasLeft(): bigint {
    return this.#memory.u64(at.STEP_GAS);
  }

  get cost(): bigint {
    return this.#memory.u64(at.STEP_COST);
  }

  get passedGas(): bigint {
    return this.#memory.u64(at.STEP_PASSED_GAS);
  }

  get isOutOfGas(): boolean {
    const fault = this.#memory.u32(at.STEP_FAULT);
    // If several checks fail, the fault may be another one than the lack of gas.
    return fault === halts.OUT_OF_GAS || (fault !== halts.NONE && this.cost > this.gasLeft);
  }

  get refund(): bigint {
    return this.#memory.i64(at.STEP_REFUND);
  }

  get refundBefore(): bigint {
    return this.#memory.i64(at.STEP_REFUND_BEFORE);
  }

  get stateGas(): RunStep['stateGas'] {
    if (!this.#executor.rules.hasStateGas) return undefined;
    return { reservoir: this.#memory.u64(at.STEP_RESERVOIR), cost: this.#memory.i64(at.STEP_STATE_COST) };
  }

  get stackHeight(): number {
    return (this.#memory.u32(at.STEP_TOP) - this.#memory.u32(at.STEP_STACK)) / WORD;
  }

  word(n: number): bigint | undefined {
    const place = this.#memory.u32(at.STEP_TOP) - n * WORD;
    return place < this.#memory.u32(at.STEP_STACK) ? undefined : this.#memory.word(place);
  }

  stack(): readonly bigint[] {
    const words: bigint[] = [];
    const top = this.#memory.u32(at.STEP_TOP);
    for (let place = this.#memory.u32(at.STEP_STACK); place < top; place += WORD)
      words.push(this.#memory.word(place));
    return words;
  }

  memory(): Uint8Array {
    return this.#view(at.STEP_MEMORY, at.STEP_MEMORY_SIZE);
  }

  returnData(): Uint8Array {
    return this.#view(at.STEP_RETURNED, at.STEP_RETURNED_SIZE);
  }

  slotValue(): bigint {
    return this.#memory.word(this.#memory.u32(at.STEP_SLOT) + entry.VALUE);
  }

  frame(): StepFrame {
    const memory = this.#memory;
    return {
      caller: new Address(this.#executor.addressOf(memory.u32(at.STEP_CALLER))),
      value: memory.word(memory.u32(at.STEP_VALUE)),
      input: this.#view(at.STEP_INPUT, at.STEP_INPUT_SIZE),
      code: this.#view(at.STEP_CODE, at.STEP_CODE_SIZE),
    };
  }

  /** @param start, length addresses of a stored pointer and of a stored length */
  #view(start: number, length: number): Uint8Array {
    const size = this.#memory.u32(length);
    return size === 0 ? EMPTY_BYTES : this.#memory.view(this.#memory.u32(start), size);
  }
}
