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

const PUSH1 = 0x60;
const PUSH32 = 0x7f;

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
