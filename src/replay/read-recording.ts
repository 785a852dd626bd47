import { createReadStream } from 'node:fs';
import { decodeLine, FORMAT, type HeaderLine, isIntact, type Line } from '../recorder/lines.ts';

/** What a line of a file holds. */
export interface RawLine {
  /** from 1 */
  readonly number: number;
  /** without the line's end */
  readonly bytes: Buffer;
  /** bytes of the file up to its end */
  readonly position: number;
  /** false for a last one without an end */
  readonly ended: boolean;
}

/** A line with where it stands. */
export interface Numbered extends RawLine {
  /** absent where the text isn't one */
  readonly line: Line | undefined;
}

const NEWLINE = 0x0a;
const RETURN = 0x0d;

/**
 * The lines one after the other, with the ends that git gives them on Windows too. Not by `node:readline`: it takes
 * characters for ends of lines that JSON leaves as they are.
 */
export async function* rawLines(path: string): AsyncGenerator<RawLine> {
  let held: Buffer[] = [];
  let number = 0;
  let position = 0;
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
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

/** Whether a last line is what a killed process left of it: nothing stands behind a checksum. */
export function isCutOff({ bytes, ended }: RawLine): boolean {
  return !ended && !isIntact(bytes) && !/,"sum":"[0-9a-f]{8}"\}/.test(bytes.toString('latin1'));
}

/** The lines of a recording. What a killed process left of its last one is passed over. */
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

/** Whether a file is a recording, or was one before its first line was changed. */
export async function isRecording(path: string): Promise<boolean> {
  for await (const raw of rawLines(path)) {
    const line = lineOf(raw);
    if (isIntact(raw.bytes) || (line && 'recording' in line)) return true;
    if (raw.number === 2) break;
  }
  return false;
}

/** @throws Error that says why it isn't the first line of a recording that this program reads */
export function checkHeader(path: string, line: Line | undefined): HeaderLine {
  if (!line || !('recording' in line)) throw new Error(`${path} isn't a recording`);
  if (line.format !== FORMAT)
    throw new Error(`${path} has the format ${line.format}; this program reads ${FORMAT}`);
  return line;
}
