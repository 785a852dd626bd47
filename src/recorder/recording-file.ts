import { closeSync, existsSync, openSync, readFileSync, writeSync } from 'node:fs';
import { decodeLine, encodeLine, FORMAT, isOutput } from './lines.ts';

/** A file of lines, each on the disk's way before the next thing happens: it is whole after `kill -9`. */
export class RecordingFile {
  readonly isNew: boolean;
  readonly #file: number;

  private constructor(path: string, isNew: boolean) {
    this.isNew = isNew;
    this.#file = openSync(path, 'a');
  }

  /**
   * @param fromGenesis the chain's inputs are all known: a new file can be begun
   * @throws Error when the file is something else, or a recording that can't go on
   */
  static open(path: string, options: Readonly<Record<string, unknown>>, fromGenesis: boolean): RecordingFile {
    const before = existsSync(path) ? readFileSync(path, 'utf8') : '';
    const header = encodeLine({ recording: 'devnet', format: FORMAT, options });
    if (before === '') {
      if (!fromGenesis)
        throw new Error(`${path}: a recording begins with the chain, and this one has begun already`);
      const file = new RecordingFile(path, true);
      file.write(header);
      return file;
    }
    if (!before.startsWith(`${header}\n`))
      throw new Error(`${path} exists, and isn't a recording of a chain with these options`);
    if (fromGenesis) throw new Error(`${path} is the recording of another run; this chain is a new one`);
    const lastInput = before
      .trimEnd()
      .split('\n')
      .findLast((line) => !isOutput(decodeLine(line).line))!;
    if (!before.endsWith('\n') || !('stop' in decodeLine(lastInput).line))
      throw new Error(`${path} ends without a clean stop: its chain can't be gone on with`);
    return new RecordingFile(path, false);
  }

  write(line: string): void {
    writeSync(this.#file, `${line}\n`);
  }

  close(): void {
    closeSync(this.#file);
  }
}
