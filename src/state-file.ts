import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import type { Clock } from './clock.ts';
import type { StateFiles } from './options/state-files.ts';
import type { RpcContext } from './rpc/context.ts';
import { dumpState, loadState } from './rpc/state-dump.ts';

/** Loads the file into a chain that has just begun; one that went on from its data directory keeps its state. */
export async function loadStateFile({ load }: StateFiles, context: RpcContext): Promise<void> {
  if (!load || context.chain.latest.header.number !== context.chain.genesis) return;
  if (!load.mustExist && !existsSync(load.file)) return;
  try {
    await loadState(context, new Uint8Array(readFileSync(load.file)));
  } catch (error) {
    throw new Error(`the state file ${load.file} can't be loaded: ${(error as Error).message}`);
  }
}

/** Writes the state of the newest block, whole or not at all. */
export function dumpStateFile({ dump }: StateFiles, context: RpcContext): void {
  if (dump === undefined) return;
  const partial = `${dump}.tmp`;
  writeFileSync(partial, JSON.stringify(dumpState(context)));
  renameSync(partial, dump);
}

/** Writes the state again and again while the chain runs, where that was asked for. A failure ends nothing. */
export function dumpStateRegularly(
  files: StateFiles,
  context: RpcContext,
  { clock, onError }: { clock: Clock; onError: (error: unknown) => void },
): Disposable | undefined {
  if (files.dumpEvery === undefined) return undefined;
  return clock.every(files.dumpEvery * 1000, () => {
    try {
      dumpStateFile(files, context);
    } catch (error) {
      onError(error);
    }
  });
}
