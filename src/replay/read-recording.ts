import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { decodeLine, FORMAT, type HeaderLine, type Line } from '../recorder/lines.ts';

/** A line with where it stands. */
export interface Numbered {
  /** from 1 */
  readonly number: number;
  /** absent where the text isn't one */
  readonly line: Line | undefined;
  /** false: the line is not as it was written */
  readonly sumOk: boolean;
  /** bytes of the file up to its end */
  readonly bytes: number;
}

/** The lines one after the other. What a killed process left of its last one is passed over. */
export async function* readLines(path: string): AsyncGenerator<Numbered> {
  const lines = createInterface({ input: createReadStream(path), crlfDelay: Number.POSITIVE_INFINITY });
  let number = 0;
  let bytes = 0;
  let held: Numbered | undefined;
  for await (const text of lines) {
    if (held) yield held;
    number++;
    bytes += text.length + 1;
    try {
      held = { number, bytes, ...decodeLine(text) };
    } catch {
      held = { number, bytes, line: undefined, sumOk: false };
    }
  }
  if (held?.line) yield held;
}

/** Whether a file's first line is that of a recording. */
export async function isRecording(path: string): Promise<boolean> {
  for await (const { line } of readLines(path)) return line !== undefined && 'recording' in line;
  return false;
}

/** @throws Error that says why it isn't the first line of a recording that this program reads */
export function checkHeader(path: string, line: Line | undefined): HeaderLine {
  if (!line || !('recording' in line)) throw new Error(`${path} isn't a recording`);
  if (line.format !== FORMAT)
    throw new Error(`${path} has the format ${line.format}; this program reads ${FORMAT}`);
  return line;
}
