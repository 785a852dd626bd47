import { readFile, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { bytesToHex } from '@ethereumjs/util';
import type { ComparedChain } from '../against/compared-chain.ts';
import { createNode } from '../boot/node.ts';
import type { EngineName } from '../engine/engine-name.ts';
import { resolveOptions } from '../options/options.ts';
import { ImportError, type ImportTarget, importChain } from './import-chain.ts';
import type { CaseOutcome } from './replay-file.ts';
import type { Replayed } from './replay-tally.ts';

const GENESIS = 'genesis.json';
const CHAIN = 'chain.rlp';
/** The file that names the head in hive's chains and the execution-apis test cases. */
const HEAD = 'headfcu.json';

/** Whether a folder contains genesis.json and chain.rlp, as `devnet export` and hive write them. */
export async function isChainFolder(path: string): Promise<boolean> {
  const there = await Promise.all([GENESIS, CHAIN].map((name) => isFile(join(path, name))));
  return there.every(Boolean);
}

/** The names of the files that are read in a chain folder. */
export async function chainFiles(path: string): Promise<string[]> {
  return (await isFile(join(path, HEAD))) ? [GENESIS, CHAIN, HEAD] : [GENESIS, CHAIN];
}

/**
 * Executes every block of an exported chain again and checks it like an import: header rules and all roots.
 * @param options.onProgress receives the progress
 * @param options.engine the engine that executes the blocks; default: `fast`
 * @param options.compared also runs the transactions under other rules
 */
export async function replayChain(
  folder: string,
  {
    onProgress,
    engine,
    compared,
  }: {
    onProgress?: ((done: Replayed) => void) | undefined;
    engine?: EngineName | undefined;
    compared?: ComparedChain | undefined;
  } = {},
): Promise<CaseOutcome & { readonly name: string }> {
  const config = resolveOptions({
    init: join(folder, GENESIS),
    import: join(folder, CHAIN),
    ...(engine && { engine }),
    ...compared?.options,
  });
  let fatal: unknown;
  const onFatal = (error: unknown) => {
    fatal ??= error;
  };
  const node = await createNode(config, { version: 'replay', onFatal, ...compared?.hooks });
  const target: ImportTarget = compared
    ? { ...node, adopt: (encoded) => compared.after(node.adopt(encoded)) }
    : node;
  try {
    const error = await faultOf(folder, target, onProgress);
    const { hash, header } = node.chain.latest;
    const lastblockhash = bytesToHex(hash);
    const expected = await headOf(folder);
    const wrong =
      (fatal instanceof Error ? fatal.message : undefined) ??
      error ??
      (expected !== undefined && expected !== lastblockhash
        ? `head: expected ${expected}, got ${lastblockhash}`
        : undefined);
    return {
      name: basename(folder),
      pass: wrong === undefined,
      lastblockhash,
      blocks: Number(header.number),
      ...(wrong !== undefined && { error: wrong }),
    };
  } finally {
    await node.close();
    compared?.close();
  }
}

async function faultOf(
  folder: string,
  node: ImportTarget,
  onProgress?: (done: Replayed) => void,
): Promise<string | undefined> {
  try {
    await importChain(join(folder, CHAIN), node, ({ imported, bytes, total }) =>
      onProgress?.({ files: bytes / Math.max(1, total), blocks: imported, cases: 0 }),
    );
    return undefined;
  } catch (error) {
    if (error instanceof ImportError) return error.message;
    throw error;
  }
}

/** Hash of the head that the folder's headfcu.json names, if the file exists. */
async function headOf(folder: string): Promise<string | undefined> {
  const path = join(folder, HEAD);
  if (!(await isFile(path))) return undefined;
  const request: { params?: [{ headBlockHash?: string }?] } = JSON.parse(await readFile(path, 'utf8'));
  return request.params?.[0]?.headBlockHash?.toLowerCase();
}

async function isFile(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => undefined);
  return found?.isFile() ?? false;
}
