import { createHash, randomUUID } from 'node:crypto';
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { Script } from 'node:vm';

/**
 * A cache file: SHA-256 of the rest (32 bytes), {@link Kept.processes} (a 64-bit float, little-endian), the code. V8 copies code that
 * doesn't begin at a multiple of 8 bytes.
 */
const HASH_BYTES = 32;
const COUNT_BYTES = 8;
/**
 * Maximum number of processes that store their code at their end. Storing takes 30 ms, which isn't worth it for the functions that further
 * processes call.
 */
const MAX_PROCESSES = 4;

/** Compiled code in the cache. */
interface Kept {
  /** in V8's format */
  readonly code: Buffer;
  /** how many processes have added code at their end; 0 if the code was stored at a start */
  readonly processes: number;
}

/** A compiled script whose compiled code can be stored for the next process. */
export interface CompiledScript {
  /** Whether the stored code was used. */
  readonly fromCache: boolean;
  /** @returns the value of its last expression */
  run(): unknown;
  /**
   * Stores the code of the functions that have been called so far, in a file beside the script. Does nothing if the file already exists
   * or can't be written: then the next start is only slower.
   */
  keep(): void;
  /**
   * Must be called at the end of a process that has done much work. Adds the code of the functions called since the start, unless a few
   * earlier processes have done so. V8 must have the same flags as when the script was compiled, and should not have dropped the code that
   * only runs at the start.
   */
  keepMore(): void;
}

/**
 * Compiles a script of ASCII characters. Compiling 2 MB of JavaScript takes a third of the start-up time; V8 can load the result of an
 * earlier process instead. V8 checks that the code was made by the same version with the same flags, but of the source it checks only the
 * length: the script's name must change with its content.
 * @param path absolute path. The script can't use `import()`
 * @param use part of the cache file's name: each use of the script has its own file
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
      if (processes < MAX_PROCESSES)
        writeCache(cacheFile, { code: script.createCachedData(), processes: processes + 1 });
    },
  };
}

/** @returns `undefined` if there is no file, or if it is damaged: V8 would run damaged code */
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

/** Writes a cache file atomically: other processes and threads see the whole file or none. */
function writeCache(file: string, { code, processes }: Kept): void {
  const partial = `${file}.${randomUUID()}`;
  const rest = Buffer.allocUnsafe(COUNT_BYTES + code.length);
  rest.writeDoubleLE(processes);
  code.copy(rest, COUNT_BYTES);
  try {
    writeFileSync(partial, Buffer.concat([hashOf(rest), rest]));
    renameSync(partial, file);
  } catch {
    // The folder isn't writable, or the disk is full.
    rmSync(partial, { force: true });
  }
}

function hashOf(rest: Buffer): Buffer {
  return createHash('sha256').update(rest).digest();
}
