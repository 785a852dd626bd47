import type { CompiledContract } from '../sources/compilation.ts';
import type { Match } from '../sources/match.ts';
import type { SourceContract, SourceFunction, SourceRange } from '../sources/source-file.ts';
import { instructionNumbers, type Jump, type MapEntry, readMap } from '../sources/source-map.ts';
import { Mentions } from './mentions.ts';

/** A range of a file to which instructions are mapped. Instructions of one code with equal ranges share one object. */
export interface Location extends SourceRange {
  /** the function, modifier or public variable around it */
  readonly fn: SourceFunction | undefined;
}

export interface Instruction {
  readonly pc: number;
  readonly opcode: number;
  readonly jump: Jump;
  /** `undefined` for instructions without a source: generated code, and with viaIR instructions that are mapped to a whole contract */
  readonly location: Location | undefined;
}

/** An executed code, with the sources from which it was compiled. */
export class RunningCode {
  readonly contract: CompiledContract;
  readonly isCreation: boolean;
  /** version of solc as `1000 * minor + patch`: 8028 for 0.8.28 */
  readonly version: number;
  readonly isIr: boolean;
  readonly isOptimized: boolean;
  /** whether the source map marks the jumps into functions */
  readonly hasJumps: boolean;
  readonly #code: Uint8Array;
  readonly #numbers: Int32Array;
  readonly #map: readonly MapEntry[];
  readonly #match: Match;
  readonly #locations = new Map<string, Location>();
  readonly #instructions = new Map<number, Instruction>();
  #mentions: Mentions | undefined;

  constructor(match: Match, code: Uint8Array) {
    const { compilation, built, isCreation } = match;
    this.#match = match;
    this.contract = compilation.contract(built);
    this.isCreation = isCreation;
    const [, minor = 8, patch = 0] = compilation.solcVersion.split(/[.+-]/).map(Number);
    this.version = 1000 * minor + patch;
    this.isIr = compilation.viaIr;
    this.isOptimized = compilation.isOptimized;
    this.#code = code;
    this.#numbers = instructionNumbers(code);
    const mapped = isCreation ? built.creation : built.deployed;
    this.#map = readMap(mapped, code);
    this.hasJumps = !mapped.ethdebug;
  }

  /** Which of the functions that the code may have in it run within which others. */
  get mentions(): Mentions {
    this.#mentions ??= new Mentions(this.#functions());
    return this.#mentions;
  }

  *#functions(): Iterable<SourceFunction> {
    const { linearized = [] } = this.contract.source ?? {};
    const { compilation, built } = this.#match;
    for (const { functions } of compilation.filesOf(built))
      for (const fn of functions)
        if (!fn.contract || fn.contract.kind === 'library' || linearized.includes(fn.contract)) yield fn;
  }

  /** The instruction at a byte of the code. After the code's end, it is a STOP without a source. */
  at(pc: number): Instruction {
    let instruction = this.#instructions.get(pc);
    if (!instruction) {
      const entry = this.#entryAt(pc);
      instruction = {
        pc,
        opcode: this.#code[pc] ?? 0,
        jump: entry?.jump ?? '-',
        location: entry && this.#locationOf(entry),
      };
      this.#instructions.set(pc, instruction);
    }
    return instruction;
  }

  /** Whether the source map has an entry for the instruction at this byte. */
  isMapped(pc: number): boolean {
    return this.#entryAt(pc) !== undefined;
  }

  #entryAt(pc: number): MapEntry | undefined {
    return this.#map[this.#numbers[pc] ?? -1];
  }

  #locationOf({ start, length, file: id }: MapEntry): Location | undefined {
    const file = this.#match.compilation.files.get(id);
    if (!file) return undefined;
    const key = `${id}:${start}:${length}`;
    let location = this.#locations.get(key);
    if (!location) {
      const end = start + length;
      location = { file, start, end, fn: file.functionAround(start, end) };
      this.#locations.set(key, location);
    }
    return this.isIr && isWholeContract(location) ? undefined : location;
  }
}

/** Whether a location covers a whole function: with viaIR, compiler helpers are mapped to whole functions, too. */
export function isWholeFunction({ fn, start, end }: Location): boolean {
  return fn !== undefined && fn.start === start && fn.end === end;
}

/** Whether a range covers a whole contract, such as the range of the code that dispatches by selector. */
export function isWholeContract({ file, start, end }: SourceRange): boolean {
  return file.contracts.some((each: SourceContract) => each.start === start && each.end === end);
}
