import { createHash, randomUUID } from 'node:crypto';
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { Script } from 'node:vm';

/**
 * A cache file: SHA-256 of what follows (32 bytes), see {@link Kept.processes} (a 64-bit float, little-endian), the code. V8
 * copies code that doesn't begin at a multiple of 8 bytes.
 */
const HASH_BYTES = 32;
const COUNT_BYTES = 8;
/** Processes whose code is kept at their end. What others call beyond that isn't worth the 30 ms that each of them takes. */
const MOST_PROCESSES = 4;

/** Compiled code as it was kept. */
interface Kept {
  /** as V8 takes it */
  readonly code: Buffer;
  /** how many processes have added to it at their end; 0 when it was kept at a start */
  readonly processes: number;
}

/** A script that is compiled, and whose compiled code can be kept for the next process. */
export interface CompiledScript {
  /** Whether the kept code was used. */
  readonly fromCache: boolean;
  /** @returns the value of its last expression */
  run(): unknown;
  /**
   * Keeps the code of the functions that have been called so far, in a file beside the script. Does nothing where that
   * is there already or can't be written: the next start is slower then, and the same otherwise.
   */
  keep(): void;
  /**
   * To be called at the end of a process that has done much. Adds the code of what has been called since the start, unless a few
   * earlier processes have done so. V8 must have the same flags as when the script was compiled, and should not have dropped
   * the code of what runs at the start only.
   */
  keepMore(): void;
}

/**
 * Compiles a script of ASCII characters. Compiling 2 MB of JavaScript takes a third of the start-up; V8 can load the
 * result of an earlier process instead. It checks that the code was made by the same version of V8 with the same flags,
 * but of the source only its length: the script's name must change with its content.
 * @param path absolute. The script can't use `import()`
 * @param use part of the file's name: each use of the script has a file of its own
 */
export function compileScript(path: string, use: string): CompiledScript {
  const cacheFile = `${path}.${use}.${process.version}-${process.arch}.cache`;
  const kept = readCache(cacheFile);
  const script = new Script(readFileSync(path, 'latin1'), {
    filename: path,
    ...(kept && { cachedData: kept.code }),
  });
  const fromCache = script.cachedDataRejected === false;
  const processes = fromCache ? kept!.processes : 0;
  return {
    fromCache,
    run: () => script.runInThisContext(),
    keep: () => {
      if (!fromCache) writeCache(cacheFile, { code: script.createCachedData(), processes });
    },
    keepMore: () => {
      if (processes < MOST_PROCESSES)
        writeCache(cacheFile, { code: script.createCachedData(), processes: processes + 1 });
    },
  };
}

/** @returns `undefined` where there is none, or it isn't as it was written: V8 would run damaged code */
function readCache(file: string): Kept | undefined {
  try {
    const content = readFileSync(file);
    const rest = content.subarray(HASH_BYTES);
    if (!hashOf(rest).equals(content.subarray(0, HASH_BYTES))) return undefined;
    return { code: rest.subarray(COUNT_BYTES), processes: rest.readDoubleLE() };
  } catch {
    return undefined;
  }
}

/** Other processes and threads see the whole file or none. */
function writeCache(file: string, { code, processes }: Kept): void {
  const partial = `${file}.${randomUUID()}`;
  const rest = Buffer.allocUnsafe(COUNT_BYTES + code.length);
  rest.writeDoubleLE(processes);
  code.copy(rest, COUNT_BYTES);
  try {
    writeFileSync(partial, Buffer.concat([hashOf(rest), rest]));
    renameSync(partial, file);
  } catch {
    // A folder that can't be written to, or a full disk.
    rmSync(partial, { force: true });
  }
}

function hashOf(rest: Buffer): Buffer {
  return createHash('sha256').update(rest).digest();
}
