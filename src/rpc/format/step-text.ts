import type { StepStorage } from '../../engine/tracers/steps.ts';

/** Bytes of memory from which on its words are written in pieces: half a millisecond's work. */
const LARGE = 16 * 1024;

/**
 * The JSON of one step. Steps are written as text at once: a run has hundreds of thousands of them, and objects that exist
 * only to be written are garbage that V8 has to collect while ticks wait.
 */
export interface StepText {
  /** the fields before the memory, from the opening brace on */
  readonly head: string;
  /** the memory's field, in pieces where it is large; empty where it isn't asked for */
  readonly memory: string | Iterable<string>;
  /** the fields after it, to the closing brace */
  readonly tail: string;
}

/** The JSON of stacks. Reuses the texts of words that were on the previous step's stack, as most are. */
export class StackText {
  readonly #textOf: (word: bigint) => string;
  #values: readonly bigint[] = [];
  #texts: readonly string[] = [];

  /** @param textOf a word without quotes */
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

/** The JSON of the slots that a run has accessed so far in each contract. Has to be given all of its steps, in order. */
export class StorageText {
  readonly #textOf: (word: bigint) => string;
  readonly #contracts = new Map<string, { readonly slots: Map<bigint, string>; text: string | undefined }>();

  /** @param textOf a word without quotes */
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

/** The JSON of memories, a list of words of 32 bytes. Reuses the text of the previous step's where it is the same object. */
export class MemoryText {
  readonly #prefix: string;
  #memory: Uint8Array | undefined;
  #text = '';

  /** @param prefix what precedes the digits of a word */
  constructor(prefix: '' | '0x') {
    this.#prefix = prefix;
  }

  /** @returns the text of `"memory"` and its list, in pieces where it is large */
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

/** 64 digits without `0x`. */
export function fullWord(value: bigint): string {
  return value.toString(16).padStart(64, '0');
}
