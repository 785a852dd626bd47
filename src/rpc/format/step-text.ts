import type { StepStorage } from '../../engine/tracers/steps.ts';

/** Memory of at least this many bytes is written in pieces; one piece takes half a millisecond. */
const LARGE = 16 * 1024;

/**
 * The JSON of one step. Steps are formatted as text directly: an execution has hundreds of thousands of them, and intermediate objects
 * would be garbage, whose collection by V8 would delay ticks.
 */
export interface StepText {
  /** the fields before the memory, from the opening brace on */
  readonly head: string;
  /** the memory field; in pieces if it is large, empty if it isn't requested */
  readonly memory: string | Iterable<string>;
  /** the fields after the memory, up to the closing brace */
  readonly tail: string;
}

/** Formats stacks as JSON. Reuses the texts of words that were in the same position on the previous step's stack, as most are. */
export class StackText {
  readonly #textOf: (word: bigint) => string;
  #values: readonly bigint[] = [];
  #texts: readonly string[] = [];

  /** @param textOf formats a word, without quotes */
  constructor(textOf: (word: bigint) => string) {
    this.#textOf = textOf;
  }

  format(stack: readonly bigint[]): string {
    const values = this.#values;
    const texts = stack.map((word, i) => (word === values[i] ? this.#texts[i]! : `"${this.#textOf(word)}"`));
    this.#values = stack;
    this.#texts = texts;
    return `[${texts.join(',')}]`;
  }
}

/** Formats as JSON the slots that an execution has accessed so far in each contract. It must be given all steps, in order. */
export class StorageText {
  readonly #textOf: (word: bigint) => string;
  readonly #contracts = new Map<string, { readonly slots: Map<bigint, string>; text: string | undefined }>();

  /** @param textOf formats a word, without quotes */
  constructor(textOf: (word: bigint) => string) {
    this.#textOf = textOf;
  }

  format({ contract, access }: StepStorage): string {
    let seen = this.#contracts.get(contract);
    if (!seen) {
      seen = { slots: new Map(), text: undefined };
      this.#contracts.set(contract, seen);
    }
    if (access) {
      const text = `"${this.#textOf(access.slot)}":"${this.#textOf(access.value)}"`;
      if (seen.slots.get(access.slot) !== text) {
        seen.slots.set(access.slot, text);
        seen.text = undefined;
      }
    }
    seen.text ??= `{${[...seen.slots.values()].join(',')}}`;
    return seen.text;
  }
}

/** Formats memories as JSON lists of 32-byte words. Reuses the previous text if the memory is the same object. */
export class MemoryText {
  readonly #prefix: string;
  #memory: Uint8Array | undefined;
  #text = '';

  /** @param prefix precedes the digits of each word */
  constructor(prefix: '' | '0x') {
    this.#prefix = prefix;
  }

  /** @returns the text of `"memory"` and its list; in pieces if it is large */
  format(memory: Uint8Array): string | Iterable<string> {
    if (memory.length >= LARGE) return this.#large(memory);
    if (memory !== this.#memory) {
      this.#memory = memory;
      this.#text = `"memory":[${this.#words(memory)}]`;
    }
    return this.#text;
  }

  *#large(memory: Uint8Array): Generator<string> {
    yield '"memory":[';
    for (let start = 0; start < memory.length; start += LARGE)
      yield (start === 0 ? '' : ',') + this.#words(memory.subarray(start, start + LARGE));
    yield ']';
  }

  #words({ buffer, byteOffset, byteLength }: Uint8Array): string {
    const digits = Buffer.from(buffer, byteOffset, byteLength).toString('hex');
    const words: string[] = [];
    for (let at = 0; at < digits.length; at += 64)
      words.push(`"${this.#prefix}${digits.slice(at, at + 64)}"`);
    return words.join(',');
  }
}

/** Formats a word as 64 digits without `0x`. */
export function fullWord(value: bigint): string {
  return value.toString(16).padStart(64, '0');
}
