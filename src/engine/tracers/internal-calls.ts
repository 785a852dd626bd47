import type { RunStep } from '../run-listener.ts';

/** A call of a function within a contract's code that is under way: a jump with the return address on the stack. */
export interface InternalCall {
  /** bytes of the code: the jump, and where it led to */
  readonly site: number;
  readonly target: number;
  /** of the stack when the function began: what lies above the return address, the lowest word first */
  readonly words: readonly bigint[];
  /** bytes of the memory then, where these words may point to */
  readonly memory: readonly MemoryPiece[];
}

export interface MemoryPiece {
  readonly offset: number;
  readonly bytes: Uint8Array;
}

interface OpenCall extends InternalCall {
  /** words of the stack below the return address */
  readonly height: number;
}

const JUMPDEST = 0x5b;
const WORD = 32;
/** Words above a return address at most: code of solc can't reach more. */
const MOST_WORDS = 16;
/** Memory that solc gives to values begins behind its free memory pointer and zero slot. */
const FIRST_VALUE = 0x80n;
/** Bytes that are kept where a word may point to: the length of a value, and as much of it as is shown. */
const PIECE = 32 + 1_024;

/**
 * Follows the calls of internal functions in one message by what solc's code does, without its source maps: whoever calls pushes the
 * address of the instruction behind its jump, which the function jumps to at its end.
 */
export class InternalCalls {
  readonly #open: OpenCall[] = [];

  /** Those that are under way, the outermost first. */
  get open(): readonly InternalCall[] {
    return this.#open.map(({ site, target, words, memory }) => ({ site, target, words, memory }));
  }

  /**
   * A jump.
   * @param site its byte in the code
   * @param code that runs
   * @param step the JUMPDEST that it led to
   * @returns bytes that are kept in addition
   */
  jump(site: number, code: Uint8Array, step: RunStep): number {
    const height = step.stackHeight;
    let held = 0;
    // What has taken its return address from the stack is over, however it ended.
    while (this.#open.length > 0 && this.#open.at(-1)!.height >= height) held -= this.#pop();
    if (this.#open.at(-1)?.site === step.pc - 1) return held - this.#pop();
    const back = site + 1;
    return code[back] === JUMPDEST ? held + this.#push(site, back, step) : held;
  }

  #push(site: number, back: number, step: RunStep): number {
    const words: bigint[] = [];
    const address = BigInt(back);
    for (let n = 1; n <= MOST_WORDS + 1; n++) {
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

/** Bytes that a call holds. */
export function sizeOfCall({ words, memory }: InternalCall): number {
  return memory.reduce((sum, { bytes }) => sum + bytes.length, 100 + 50 * words.length);
}

/** The memory that words may point to. */
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
