import { closeSync, existsSync, fstatSync, ftruncateSync, openSync, readSync, writeSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { decodeLine, encodeLine, FORMAT } from './lines.ts';

/** Number of bytes per read when searching for the end of a line. */
const CHUNK = 64 * 1024;

/** The beginning of a line with a read of a forked chain. */
const READ = Buffer.from('{"read":');

/** The recorder's information about the chain. */
interface Known {
  /** number of inputs since the process started */
  readonly inputs: number;
  /** whether the chain is new */
  readonly fromGenesis: boolean;
  /** whether the chain was created by an earlier process */
  readonly reopened: boolean;
  /** timestamp of the genesis block, seconds */
  readonly genesis: number;
}

/** The file of a recording. Each line is passed to the operating system before the chain continues, so it survives `kill -9`. */
export class RecordingFile {
  readonly #file: number;
  /** Whether the file contains inputs of an earlier process. */
  readonly isContinued: boolean;

  private constructor(file: number, isContinued: boolean) {
    this.#file = file;
    this.isContinued = isContinued;
  }

  /** Creates or continues a file. @throws Error when it isn't a recording, or is one that this chain can't continue */
  static open(path: string, options: Readonly<Record<string, unknown>>, known: Known): RecordingFile {
    const begun = () =>
      new Error(`${path}: a recording begins with the chain, and this one has begun already`);
    const { inputs, fromGenesis, reopened, genesis } = known;
    if (!fromGenesis && !existsSync(path)) throw begun();
    const file = openSync(path, 'a+');
    try {
      const header = lineFrom(file, 0);
      if (header) {
        if (!isHeaderOf(header, options))
          throw new Error(`${path} exists, and isn't a recording of a chain with these options`);
        // A killed process may have written only the header line.
        const start = firstInput(file, header.length + 1);
        if (!start && !fromGenesis) throw begun();
        if (start && !reopened)
          throw new Error(`${path} is the recording of another run; this chain is a new one`);
        if (start && !isStartOf(start, genesis))
          throw new Error(
            `${path} is the recording of another chain: its genesis block has another timestamp`,
          );
        if (inputs > 0) throw new Error(`${path} can be gone on with only from the start of the process`);
        // Removes the incomplete last line of a killed process.
        ftruncateSync(file, endOfLines(file));
        return new RecordingFile(file, start !== undefined);
      }
      if (!fromGenesis || fstatSync(file).size > 0) throw new Error(`${path} exists, and isn't a recording`);
      const made = new RecordingFile(file, false);
      const line = { recording: 'devnet', format: FORMAT, options } as const;
      made.write(encodeLine(inputs > 0 ? { ...line, unchecked: inputs } : line));
      return made;
    } catch (error) {
      closeSync(file);
      throw error;
    }
  }

  /** Writes a line. @throws Error when that fails; the file may then contain a part of the line */
  write(line: string): void {
    const bytes = Buffer.from(`${line}\n`);
    // On a nearly full disk a write may succeed partially, and only the next one fails.
    for (let done = 0; done < bytes.length; ) done += writeSync(this.#file, bytes, done);
  }

  close(): void {
    closeSync(this.#file);
  }
}

/** Reads the line that begins at byte `start`. @returns `undefined` if it is incomplete */
function lineFrom(file: number, start: number): Buffer | undefined {
  const parts: Buffer[] = [];
  for (let position = start; ; position += CHUNK) {
    const bytes = readAt(file, position);
    const end = bytes.indexOf('\n');
    if (end >= 0) return Buffer.concat([...parts, bytes.subarray(0, end)]);
    if (bytes.length === 0) return undefined;
    parts.push(bytes);
  }
}

/** Reads the first line from byte `from` on that isn't a read of a forked chain. */
function firstInput(file: number, from: number): Buffer | undefined {
  for (let at = from; ; ) {
    const line = lineFrom(file, at);
    if (!line?.subarray(0, READ.length).equals(READ)) return line;
    at += line.length + 1;
  }
}

/** The position after the last complete line, in bytes. */
function endOfLines(file: number): number {
  let end = fstatSync(file).size;
  while (end > 0) {
    const start = Math.max(0, end - CHUNK);
    const last = readAt(file, start, end - start).lastIndexOf('\n');
    if (last >= 0) return start + last + 1;
    end = start;
  }
  return 0;
}

function readAt(file: number, position: number, length = CHUNK): Buffer {
  const bytes = Buffer.alloc(length);
  return bytes.subarray(0, readSync(file, bytes, 0, length, position));
}

function isHeaderOf(line: Buffer, options: Readonly<Record<string, unknown>>): boolean {
  try {
    const header = decodeLine(line);
    return 'recording' in header && isDeepStrictEqual(header.options, JSON.parse(JSON.stringify(options)));
  } catch {
    return false;
  }
}

function isStartOf(line: Buffer, genesis: number): boolean {
  try {
    const start = decodeLine(line);
    return 'start' in start && start.genesis === genesis;
  } catch {
    return false;
  }
}
