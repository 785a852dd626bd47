import type { RunStep } from '../run-listener.ts';

/** An open call of an internal function of a contract: a jump with the return address on the stack. */
export interface InternalCall {
  /** program counters of the jump and of its target */
  readonly site: number;
  readonly target: number;
  /** the stack words above the return address when the function began, the lowest word first */
  readonly words: readonly bigint[];
  /** the memory at that time, at the offsets to which these words may point */
  readonly memory: readonly MemoryPiece[];
}

export interface MemoryPiece {
  readonly offset: number;
  readonly bytes: Uint8Array;
}

interface OpenCall extends InternalCall {
  /** height of the stack below the return address */
  readonly height: number;
}

const JUMPDEST = 0x5b;
const WORD = 32;
/** Maximum number of words above a return address: solc's code can't reach more. */
const MAX_WORDS = 16;
/** solc allocates values in memory after the free memory pointer and the zero slot. */
const FIRST_VALUE = 0x80n;
/** Bytes that are kept at each offset: the length of a value, and as much of the value as is shown. */
const PIECE = 32 + 1_024;

/**
 * Follows the calls of internal functions in one message by the conventions of solc's code, without source maps: the caller pushes the
 * address of the instruction after its jump, and the function jumps there at its end.
 */
export class InternalCalls {
  readonly #open: OpenCall[] = [];

  /** The open calls, the outermost first. */
  get open(): readonly InternalCall[] {
    return this.#open.map(({ site, target, words, memory }) => ({ site, target, words, memory }));
  }

  /**
   * Records a jump.
   * @param site the program counter of the jump
   * @param code the code that runs
   * @param step the JUMPDEST at the jump's target
   * @returns the change of the memory used, in bytes
   */
  jump(site: number, code: Uint8Array, step: RunStep): number {
    const height = step.stackHeight;
    let held = 0;
    // A function whose return address is no longer on the stack has ended, in whatever way.
    while (this.#open.length > 0 && this.#open.at(-1)!.height >= height) held -= this.#pop();
    if (this.#open.at(-1)?.site === step.pc - 1) return held - this.#pop();
    const back = site + 1;
    return code[back] === JUMPDEST ? held + this.#push(site, back, step) : held;
  }

  #push(site: number, back: number, step: RunStep): number {
    const words: bigint[] = [];
    const address = BigInt(back);
    for (let n = 1; n <= MAX_WORDS + 1; n++) {
      const word = step.word(n);
      if (word === undefined) return 0;
      if (word === address) {
        const height = step.stackHeight - n;
        const memory = piecesOf(words, step);
        const call = { site, target: step.pc, words: words.reverse(), memory, height };
        this.#open.push(call);
        return sizeOfCall(call);
      }
      words.push(word);
    }
    return 0;
  }

  #pop(): number {
    return sizeOfCall(this.#open.pop()!);
  }
}

/** Memory that a call takes, in bytes. */
export function sizeOfCall({ words, memory }: InternalCall): number {
  return memory.reduce((sum, { bytes }) => sum + bytes.length, 100 + 50 * words.length);
}

/** The memory at the offsets to which words may point. */
function piecesOf(words: readonly bigint[], step: RunStep): MemoryPiece[] {
  let memory: Uint8Array | undefined;
  const pieces: MemoryPiece[] = [];
  for (const word of words) {
    if (word < FIRST_VALUE || word > 0xffff_ffffn) continue;
    memory ??= step.memory();
    const offset = Number(word);
    if (offset + WORD <= memory.length) pieces.push({ offset, bytes: memory.slice(offset, offset + PIECE) });
  }
  return pieces;
}
