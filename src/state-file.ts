import { existsSync, readFileSync, statSync } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { KeptChain } from './chain/kept-chain.ts';
import type { Clock } from './clock.ts';
import type { StateFiles } from './options/state-files.ts';
import { type Dump, readDump } from './rpc/dump/read-dump.ts';
import { type DumpOptions, dumpTexts } from './rpc/dump/write-dump.ts';

/**
 * Reads the file to begin with, if there is one.
 * @throws Error naming the file
 */
export function readStateFile({ load }: StateFiles): Dump | undefined {
  if (!load) return undefined;
  const file = fileAt(load.file);
  if (!load.mustExist && !existsSync(file)) return undefined;
  try {
    return readDump(readFileSync(file));
  } catch (error) {
    throw unusable(load.file, error);
  }
}

/** Why the chain can't begin with a file. */
export function unusable(file: string, error: unknown): Error {
  return new Error(`the state file ${file} can't be loaded: ${(error as Error).message}`, { cause: error });
}

/** Writes the chain, whole or not at all. */
export async function dumpStateFile(path: string, kept: KeptChain, options: DumpOptions): Promise<void> {
  const file = fileAt(path);
  const partial = `${file}.tmp`;
  const handle = await open(partial, 'w');
  try {
    try {
      for await (const text of dumpTexts(kept, options)) await handle.writeFile(text);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(partial, file);
  } catch (error) {
    await rm(partial, { force: true });
    throw error;
  }
}

/** Runs `dump` again and again while the chain runs, where that was asked for. A failure ends nothing. */
export function dumpStateRegularly(
  { dumpEvery }: StateFiles,
  dump: () => Promise<void>,
  { clock, onError }: { clock: Clock; onError: (error: unknown) => void },
): AsyncDisposable {
  let last = Promise.resolve();
  const timer =
    dumpEvery === undefined
      ? undefined
      : clock.every(dumpEvery * 1000, () => {
          last = dump().catch(onError);
          return last;
        });
  return {
    [Symbol.asyncDispose]: () => {
      timer?.[Symbol.dispose]();
      return last;
    },
  };
}

/** A directory stands for `state.json` in it, as in anvil. */
function fileAt(path: string): string {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ? join(path, 'state.json') : path;
}
