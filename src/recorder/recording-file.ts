import { closeSync, existsSync, fstatSync, ftruncateSync, openSync, readSync, writeSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { decodeLine, encodeLine, FORMAT } from './lines.ts';

/** Bytes that are read at once where a line's end is looked for. */
const CHUNK = 64 * 1024;

/** What the chain's own recorder knows of it. */
interface Known {
  /** how many inputs there were since the process started */
  readonly inputs: number;
  /** nothing has happened on the chain so far */
  readonly fromGenesis: boolean;
  /** another process made the chain */
  readonly reopened: boolean;
  /** timestamp of the genesis block, seconds */
  readonly genesis: number;
}

/** A file of lines, each on the disk's way before the next thing happens: it is whole after `kill -9`. */
export class RecordingFile {
  readonly #file: number;
  /** Whether it holds a run of a process before. */
  readonly goesOn: boolean;

  private constructor(file: number, goesOn: boolean) {
    this.#file = file;
    this.goesOn = goesOn;
  }

  /** @throws Error when the file is something else, or a recording that can't go on */
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
        // A process that was killed may have left its first line alone.
        const start = lineFrom(file, header.length + 1);
        if (!start && !fromGenesis) throw begun();
        if (start && !reopened)
          throw new Error(`${path} is the recording of another run; this chain is a new one`);
        if (start && !isStartOf(start, genesis))
          throw new Error(
            `${path} is the recording of another chain: its genesis block has another timestamp`,
          );
        if (inputs > 0) throw new Error(`${path} can be gone on with only from the start of the process`);
        // What a killed process left of its last line.
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

  /** @throws Error when it can't be written; the line may be there in part then */
  write(line: string): void {
    const bytes = Buffer.from(`${line}\n`);
    // A disk that is nearly full takes a part, and says so at the next write only.
    for (let done = 0; done < bytes.length; ) done += writeSync(this.#file, bytes, done);
  }

  close(): void {
    closeSync(this.#file);
  }
}

/** `undefined` where no line ends. */
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

/** Where the last line ends. */
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
