import { existsSync, readFileSync, statSync } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { loadAccounts } from '../anvil-state/load-accounts.ts';
import { type Dump, type ReadOptions, readDump } from '../anvil-state/read-dump.ts';
import { type DumpOptions, dumpPieces } from '../anvil-state/write-dump.ts';
import type { FrozenChain } from '../chain/frozen-chain.ts';
import type { Clock } from '../clock.ts';
import type { StateFiles } from '../options/state-files.ts';
import type { Controls } from '../sequencer/controls.ts';

/**
 * Reads the state file to begin with, if there is one.
 * @throws Error naming the file
 */
export async function readStateFile({ load }: StateFiles, options: ReadOptions): Promise<Dump | undefined> {
  if (!load) return undefined;
  const file = fileAt(load.file);
  if (!load.mustExist && !existsSync(file)) return undefined;
  try {
    options.onProgress?.({ task: 'Reading the state file' });
    return await readDump(readFileSync(file), options);
  } catch (error) {
    throw unusable(load.file, error);
  }
}

/** On a forked chain: loads the accounts of the state file, if there is one. */
export async function loadAccountsFile(
  files: StateFiles,
  options: ReadOptions,
  controls: Controls,
): Promise<void> {
  const dump = await readStateFile(files, options);
  if (dump) await loadAccounts('outside', controls, dump);
}

/** The error for a file with which the chain can't begin. */
export function unusable(file: string, error: unknown): Error {
  return new Error(`the state file ${file} can't be loaded: ${(error as Error).message}`, { cause: error });
}

/** Writes the chain to a file, atomically. */
async function dumpStateFile(path: string, chain: FrozenChain, options: DumpOptions): Promise<void> {
  const file = fileAt(path);
  const partial = `${file}.tmp`;
  const handle = await open(partial, 'w');
  try {
    try {
      for await (const text of dumpPieces(chain, options)) await handle.writeFile(text);
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

/** Writes the chain to the state file: at the end, and if requested also periodically. A failed periodic write is only reported. */
export class StateDumps {
  readonly #dump: (freeze: () => Promise<FrozenChain>) => Promise<void>;
  readonly #timer: Disposable | undefined;
  #last: Promise<void> = Promise.resolve();

  constructor(
    files: StateFiles,
    options: Pick<DumpOptions, 'chainId' | 'forks'>,
    deps: { clock: Clock; freeze: () => Promise<FrozenChain>; onError: (error: unknown) => void },
  ) {
    const { dump: path, dumpEvery, history } = files;
    this.#dump = async (freeze) => {
      if (path !== undefined) await dumpStateFile(path, await freeze(), { ...options, history });
    };
    if (dumpEvery === undefined) return;
    const { clock, freeze, onError } = deps;
    this.#timer = clock.every(dumpEvery * 1000, () => {
      const began = clock.now();
      this.#last = this.#dump(freeze)
        .then(() => {
          const seconds = (clock.now() - began) / 1000;
          if (seconds > dumpEvery)
            onError(
              `writing the state to ${path} took ${seconds.toFixed(1)} s, longer than --state-interval (${dumpEvery} s): it is written less often`,
            );
        })
        .catch(onError);
      return this.#last;
    });
  }

  /** Stops the timer, and waits for a running write. */
  stop(): Promise<void> {
    this.#timer?.[Symbol.dispose]();
    return this.#last;
  }

  /** @throws Error when the file can't be written */
  last(freeze: () => Promise<FrozenChain>): Promise<void> {
    return this.#dump(freeze);
  }
}

/** As in anvil, a directory means the file `state.json` in it. */
function fileAt(path: string): string {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ? join(path, 'state.json') : path;
}
