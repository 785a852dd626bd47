import { createHash, randomUUID } from 'node:crypto';
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { Script } from 'node:vm';

/** Bytes of the SHA-256 in front of the code in a cache file. */
const HASH_BYTES = 32;
/** Bytes of the code of a hundred functions or so: to write the file anew for less isn't worth it. */
const MUCH = 64 * 1024;

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
   * Keeps also the code of what has been called since, if that is much. Takes some 20 ms. V8 must have the same flags as when
   * the script was compiled, and should not have dropped the code of what runs at the start only.
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
  const cachedData = readCache(cacheFile);
  const script = new Script(readFileSync(path, 'latin1'), {
    filename: path,
    ...(cachedData && { cachedData }),
  });
  const fromCache = script.cachedDataRejected === false;
  /** bytes */
  let kept = fromCache ? cachedData!.length : 0;
  /** Keeps the code if there is more of it than that, in bytes. */
  const keepBeyond = (size: number) => {
    const code = script.createCachedData();
    if (code.length <= size) return;
    kept = code.length;
    writeCache(cacheFile, code);
  };
  return {
    fromCache,
    run: () => script.runInThisContext(),
    keep: () => {
      if (!fromCache) keepBeyond(0);
    },
    keepMore: () => keepBeyond(kept + MUCH),
  };
}

/** @returns `undefined` where there is none, or it isn't as it was written: V8 would run damaged code */
function readCache(file: string): Buffer | undefined {
  try {
    const content = readFileSync(file);
    const code = content.subarray(HASH_BYTES);
    return hashOf(code).equals(content.subarray(0, HASH_BYTES)) ? code : undefined;
  } catch {
    return undefined;
  }
}

/** Other processes and threads see the whole file or none. */
function writeCache(file: string, code: Buffer): void {
  const partial = `${file}.${randomUUID()}`;
  try {
    writeFileSync(partial, Buffer.concat([hashOf(code), code]));
    renameSync(partial, file);
  } catch {
    // A folder that can't be written to, or a full disk.
    rmSync(partial, { force: true });
  }
}

function hashOf(code: Buffer): Buffer {
  return createHash('sha256').update(code).digest();
}
