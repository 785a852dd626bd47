import { closeSync, existsSync, openSync, readFileSync, writeSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { decodeLine, encodeLine, FORMAT, isOutput } from './lines.ts';

/** A file of lines, each on the disk's way before the next thing happens: it is whole after `kill -9`. */
export class RecordingFile {
  readonly #file: number;

  private constructor(path: string) {
    this.#file = openSync(path, 'a');
  }

  /**
   * @param known how many inputs there were since the chain began, without the start; `undefined` when they aren't known
   * @throws Error when the file is something else, or a recording that can't go on
   */
  static open(
    path: string,
    options: Readonly<Record<string, unknown>>,
    known: number | undefined,
  ): RecordingFile {
    const before = existsSync(path) ? readFileSync(path, 'utf8') : '';
    if (before === '') {
      if (known === undefined)
        throw new Error(`${path}: a recording begins with the chain, and this one has begun already`);
      const file = new RecordingFile(path);
      const header = { recording: 'devnet', format: FORMAT, options } as const;
      file.write(encodeLine(known > 0 ? { ...header, unchecked: known } : header));
      return file;
    }
    if (!isHeaderOf(before.split('\n', 1)[0]!, options))
      throw new Error(`${path} exists, and isn't a recording of a chain with these options`);
    if (known !== undefined)
      throw new Error(`${path} is the recording of another run; this chain is a new one`);
    const lastInput = before
      .trimEnd()
      .split('\n')
      .findLast((line) => !isOutput(decodeLine(line).line))!;
    if (!before.endsWith('\n') || !('stop' in decodeLine(lastInput).line))
      throw new Error(`${path} ends without a clean stop: its chain can't be gone on with`);
    return new RecordingFile(path);
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

function isHeaderOf(text: string, options: Readonly<Record<string, unknown>>): boolean {
  try {
    const { line } = decodeLine(text);
    return 'recording' in line && isDeepStrictEqual(line.options, JSON.parse(JSON.stringify(options)));
  } catch {
    return false;
  }
}
