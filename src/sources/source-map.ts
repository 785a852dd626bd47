/** `i` into a function, `o` out of one, `-` else. */
export type Jump = 'i' | 'o' | '-';

/** Where an instruction comes from. */
export interface MapEntry {
  /** in bytes */
  readonly start: number;
  readonly length: number;
  /** id of the file in its compilation; -1 = none */
  readonly file: number;
  readonly jump: Jump;
}

/** What the compiler tells of a code: a source map, or in its place the instructions of the ethdebug format. */
interface Mapped {
  readonly sourceMap: string;
  readonly ethdebug?: readonly unknown[] | undefined;
}

const PUSH1 = 0x60;
const PUSH32 = 0x7f;

/** Where the instructions of a code come from, in their order. @param code whose instructions these are */
export function readMap({ sourceMap, ethdebug }: Mapped, code: Uint8Array): MapEntry[] {
  return ethdebug ? readEthdebug(ethdebug, instructionNumbers(code)) : readSourceMap(sourceMap);
}

/**
 * Reads instructions of the ethdebug format (https://ethdebug.github.io/format), as solc 0.8.29 and later writes them: each has the range
 * of source that a source map has, and none says whether a jump leads into a function.
 * @param numbers which instruction begins at each byte of the code
 */
function readEthdebug(instructions: readonly unknown[], numbers: Int32Array): MapEntry[] {
  const entries: MapEntry[] = [];
  const none: MapEntry = { start: 0, length: 0, file: -1, jump: '-' };
  for (const each of instructions) {
    const { offset, context } = (each ?? {}) as Json;
    const { code } = (context ?? {}) as Json;
    const { source, range } = (code ?? {}) as Json;
    const { offset: start, length } = (range ?? {}) as Json;
    const { id } = (source ?? {}) as Json;
    const number = numbers[Number(offset)] ?? -1;
    if (number < 0) continue;
    while (entries.length < number) entries.push(none);
    entries[number] =
      isWhole(start) && isWhole(length) && isWhole(id) ? { start, length, file: id, jump: '-' } : none;
  }
  return entries;
}

type Json = Readonly<Record<string, unknown>>;

function isWhole(value: unknown): value is number {
  return Number.isSafeInteger(value);
}

/**
 * Reads a source map of solc: one entry an instruction, `start:length:file:jump:modifierDepth`, separated by `;`. An empty or missing
 * field has the value of the entry before.
 */
export function readSourceMap(text: string): MapEntry[] {
  const entries: MapEntry[] = [];
  let start = 0;
  let length = 0;
  let file = -1;
  let jump: Jump = '-';
  let previous: MapEntry | undefined;
  for (const entry of text === '' ? [] : text.split(';')) {
    if (entry === '' && previous) {
      entries.push(previous);
      continue;
    }
    const fields = entry.split(':');
    start = numberOr(fields[0], start);
    length = numberOr(fields[1], length);
    file = numberOr(fields[2], file);
    if (fields[3]) jump = fields[3] === 'i' || fields[3] === 'o' ? fields[3] : '-';
    previous = { start, length, file, jump };
    entries.push(previous);
  }
  return entries;
}

function numberOr(field: string | undefined, before: number): number {
  const number = field ? Number(field) : before;
  return Number.isSafeInteger(number) ? number : before;
}

/** Which instruction begins at each byte of a code: -1 where none does. Data behind PUSH is no instruction. */
export function instructionNumbers(code: Uint8Array): Int32Array {
  const numbers = new Int32Array(code.length).fill(-1);
  let number = 0;
  for (let pc = 0; pc < code.length; pc++) {
    numbers[pc] = number++;
    const opcode = code[pc]!;
    if (opcode >= PUSH1 && opcode <= PUSH32) pc += opcode - PUSH1 + 1;
  }
  return numbers;
}
