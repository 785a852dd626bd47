import { createReadStream } from 'node:fs';
import { isIntact } from '../checked-line.ts';
import { decodeLine, FORMAT, type HeaderLine, type Line } from '../recorder/lines.ts';

/** A line of a file, as bytes. */
export interface RawLine {
  /** line number, from 1 */
  readonly number: number;
  /** the line without its newline */
  readonly bytes: Buffer;
  /** position of the line's end in the file, bytes */
  readonly position: number;
  /** false for a last line without a newline */
  readonly ended: boolean;
}

/** A line with its parsed content. */
export interface Numbered extends RawLine {
  /** `undefined` when the text can't be parsed */
  readonly line: Line | undefined;
}

const NEWLINE = 0x0a;
const RETURN = 0x0d;

/**
 * Reads the lines of a file. CRLF is accepted too, since git may write it on Windows. `node:readline` isn't used
 * because it also splits at characters that JSON allows inside strings.
 */
export async function* rawLines(path: string): AsyncGenerator<RawLine> {
  yield* linesOf(createReadStream(path));
}

async function* linesOf(chunks: AsyncIterable<Buffer>): AsyncGenerator<RawLine> {
  let held: Buffer[] = [];
  let number = 0;
  let position = 0;
  for await (const chunk of chunks) {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, start)) {
      const text = Buffer.concat([...held, chunk.subarray(start, end)]);
      held = [];
      start = end + 1;
      position += text.length + 1;
      const bytes = text.at(-1) === RETURN ? text.subarray(0, -1) : text;
      yield { number: ++number, bytes, position, ended: true };
    }
    held.push(chunk.subarray(start));
  }
  const bytes = Buffer.concat(held);
  if (bytes.length > 0) yield { number: ++number, bytes, position: position + bytes.length, ended: false };
}

/** Whether this is the incomplete last line of a killed process: it has no newline and no complete checksum. */
export function isCutOff({ bytes, ended }: RawLine): boolean {
  return !ended && !isIntact(bytes) && !/,"sum":"[0-9a-f]{8}"\}/.test(bytes.toString('latin1'));
}

/** The lines of a recording. An incomplete last line, left by a killed process, is skipped. */
export async function* readLines(path: string): AsyncGenerator<Numbered> {
  for await (const raw of rawLines(path)) if (!isCutOff(raw)) yield { ...raw, line: lineOf(raw) };
}

function lineOf({ bytes }: RawLine): Line | undefined {
  try {
    return decodeLine(bytes);
  } catch {
    return undefined;
  }
}

/** The beginning of an undamaged recording. */
const BEGINNING = '{"recording"';
/** If a file begins differently, this many bytes are read to decide whether it is a recording: its first line may have gigabytes. */
const LOOKED_AT = 2 ** 20;

async function* beginningOf(path: string): AsyncGenerator<Buffer> {
  let left = 0;
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
    if (left === 0) left = chunk.toString('latin1', 0, BEGINNING.length) === BEGINNING ? Infinity : LOOKED_AT;
    yield chunk.subarray(0, left);
    left -= chunk.length;
    if (left <= 0) return;
  }
}

/** Whether a file is a recording, even if its first line was damaged. */
export async function isRecording(path: string): Promise<boolean> {
  for await (const raw of linesOf(beginningOf(path))) {
    const line = lineOf(raw);
    if (isIntact(raw.bytes) || (line && 'recording' in line)) return true;
    if (raw.number === 2) break;
  }
  return false;
}

/** @throws Error when the line isn't the header of a recording in a format that this version reads */
export function checkHeader(path: string, line: Line | undefined): HeaderLine {
  if (!line || !('recording' in line)) throw new Error(`${path} isn't a recording`);
  if (line.format !== FORMAT)
    throw new Error(`${path} has the format ${line.format}; this program reads ${FORMAT}`);
  return line;
}
