import { MAX_TEXT_SIZE } from '../sources/limits.ts';
import type { FunctionVariables } from '../sources/local-variables.ts';
import type { SourceFile, SourceFunction } from '../sources/source-file.ts';
import { nameOf } from './places.ts';
import { isWholeContract, isWholeFunction, type RunningCode } from './running-code.ts';

/** Flags of an instruction: whether it jumps into an internal function, or out of one. */
export const JUMPS_IN = 1;
export const JUMPS_OUT = 2;
/** Flag: it is mapped to the whole function, as its first instruction and code that the compiler adds after the end are. */
export const IS_WHOLE = 4;

/** A function of the source code, with its variables as far as they are known. */
export interface CodeFunction {
  readonly name: string;
  readonly contract: string | undefined;
  readonly definedIn: string | undefined;
  /** index in the list of files */
  readonly file: number;
  readonly line: number;
  /** `undefined` if the compiler's stack layout isn't known */
  readonly variables: FunctionVariables | undefined;
}

/** The source positions of a code's instructions, in arrays indexed by the code's bytes, which can be passed between threads. */
export interface CodeLines {
  readonly contract: string;
  /** index in the list of files; -1 = none */
  readonly file: Int32Array;
  /** from 1; 0 = none */
  readonly line: Int32Array;
  /** in bytes of the file */
  readonly start: Int32Array;
  readonly end: Int32Array;
  readonly flags: Uint8Array;
  /** index in the list of functions; -1 = none */
  readonly fn: Int32Array;
}

/** The source positions of several codes, with their source files. */
export interface SourceLines {
  /** in the order of the request; `undefined` for codes that no build info has */
  readonly codes: readonly (CodeLines | undefined)[];
  readonly functions: readonly CodeFunction[];
  readonly files: readonly { readonly name: string; readonly text: string }[];
}

/** Makes the source positions of several codes. @param codes `undefined` for codes that aren't known */
export function sourceLines(
  codes: readonly (readonly [RunningCode, length: number] | undefined)[],
): SourceLines {
  const files = new Numbers<SourceFile>();
  const functions = new Numbers<SourceFunction>();
  const owners: RunningCode[] = [];
  const made = codes.map((each) => {
    if (!each) return undefined;
    const lines = linesOf(...each, files, functions);
    while (owners.length < functions.all.length) owners.push(each[0]);
    return lines;
  });
  const functionsOfFiles = functions.all.map((fn, i): CodeFunction => {
    const { contract, isOptimized, isIr, version } = owners[i]!;
    return {
      name: nameOf(fn),
      contract: fn.kind === 'free function' ? undefined : contract.name,
      definedIn: fn.contract?.name,
      file: files.of(fn.file),
      line: fn.file.lineAt(fn.start),
      variables: isOptimized || isIr || version < 5000 ? undefined : fn.variables,
    };
  });
  return {
    codes: made,
    functions: functionsOfFiles,
    files: files.all.map((file) => ({ name: file.name, text: file.textUpTo(MAX_TEXT_SIZE) })),
  };
}

function linesOf(
  code: RunningCode,
  length: number,
  files: Numbers<SourceFile>,
  functions: Numbers<SourceFunction>,
): CodeLines {
  const lines: CodeLines = {
    contract: code.contract.name,
    file: new Int32Array(length).fill(-1),
    line: new Int32Array(length),
    start: new Int32Array(length),
    end: new Int32Array(length),
    flags: new Uint8Array(length),
    fn: new Int32Array(length).fill(-1),
  };
  for (let pc = 0; pc < length; pc++) {
    if (!code.isMapped(pc)) continue;
    const { jump, location } = code.at(pc);
    lines.flags[pc] = jump === 'i' ? JUMPS_IN : jump === 'o' ? JUMPS_OUT : 0;
    if (!location || isWholeContract(location)) continue;
    const { file, start, end, fn } = location;
    lines.file[pc] = files.of(file);
    lines.line[pc] = file.lineAt(start);
    lines.start[pc] = start;
    lines.end[pc] = end;
    if (!fn) continue;
    lines.fn[pc] = functions.of(fn);
    if (isWholeFunction(location)) lines.flags[pc]! |= IS_WHOLE;
  }
  return lines;
}

/** Numbers values in the order in which they first appear. */
class Numbers<T> {
  readonly all: T[] = [];
  readonly #numbers = new Map<T, number>();

  of(thing: T): number {
    let number = this.#numbers.get(thing);
    if (number === undefined) {
      number = this.all.push(thing) - 1;
      this.#numbers.set(thing, number);
    }
    return number;
  }
}
