import type { Step } from '../../evm/tracers/steps.ts';
import type { Executed } from '../../evm/types.ts';
import { type Hex, hex } from '../codec/hex.ts';
import { JsonList } from '../json-pieces.ts';

/** The fields besides the steps of `debug_traceTransaction` without a tracer. */
export function formatTotals(executed: Executed) {
  return {
    gas: Number(executed.gasUsed),
    failed: !executed.success,
    returnValue: executed.success || executed.failure?.revert ? hex(executed.returnData) : '0x',
  };
}

/** One step in the format of geth's struct logger. @param words must be the same object for all steps of a run */
export function formatStep(step: Step, words: StackWords<Hex>) {
  const { stack, returnData, memory, storage } = step;
  return {
    pc: step.pc,
    op: step.op,
    gas: Number(step.gas),
    gasCost: Number(step.gasCost),
    // 1 for the outermost frame
    depth: step.depth,
    ...(step.error !== undefined && { error: step.error }),
    ...(stack && { stack: words.format(stack) }),
    ...(returnData && { returnData: hex(returnData) }),
    ...(memory && { memory: memoryWords(memory, hex) }),
    ...(storage && {
      storage: Object.fromEntries([...storage].map(([slot, value]) => [fullWord(slot), fullWord(value)])),
    }),
    ...(step.refund > 0n && { refund: Number(step.refund) }),
  };
}

/** Formats stacks. Reuses the texts of words that were on the previous step's stack, as most are. */
export class StackWords<T> {
  readonly #textOf: (word: bigint) => T;
  #values: readonly bigint[] = [];
  #texts: readonly T[] = [];

  constructor(textOf: (word: bigint) => T) {
    this.#textOf = textOf;
  }

  format(stack: readonly bigint[]): T[] {
    const texts = stack.map((word, i) => (word === this.#values[i] ? this.#texts[i]! : this.#textOf(word)));
    this.#values = stack;
    this.#texts = texts;
    return texts;
  }
}

/** Bytes of memory from which on its words are written in pieces: half a millisecond's work. */
const LARGE = 16 * 1024;

/** The words of a memory, as a list that is made while it is written where it is large. */
export function memoryWords<T>(
  memory: Uint8Array,
  textOf: (word: Uint8Array) => T,
): readonly T[] | JsonList<T> {
  function* words(): Generator<T> {
    for (let start = 0; start < memory.length; start += 32) yield textOf(memory.subarray(start, start + 32));
  }
  return memory.length < LARGE ? [...words()] : new JsonList(words);
}

function fullWord(value: bigint): Hex {
  return `0x${value.toString(16).padStart(64, '0')}`;
}
