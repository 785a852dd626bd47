import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach } from 'vitest';
import { BlockStore, type StoreOptions } from '../../../src/chain/store/block-store.ts';
import { DataDirError } from '../../../src/chain/store/data-dir-error.ts';
import { Bytes, blockOn, decodeTransaction, nodesOf } from './sample-blocks.ts';

const roots: string[] = [];

/** A new directory, deleted after the test. Its name isn't one that the sweep of temporary directories looks at. */
export function scratch(): string {
  const root = mkdtempSync(join(tmpdir(), 'store-test-'));
  roots.push(root);
  return root;
}

/** Registers the hook of a test file: directories are removed after each test. */
export function removeDirectoriesAfterEachTest(): void {
  afterEach(() => {
    for (const root of roots.splice(0)) rmSync(root, { recursive: true, force: true });
  });
}

export const genesis = blockOn(undefined, new Bytes('genesis'));

export const options: StoreOptions = {
  identity: { chainId: 31_337n, genesisHash: genesis.hash },
  createdBy: '1.2.3',
};

export function openStore(dir: string, changes: Partial<StoreOptions> = {}): Promise<BlockStore> {
  return BlockStore.open(dir, { ...options, ...changes }, { decodeTransaction });
}

/** A store with the genesis block in it. */
export async function newStore(dir: string, changes: Partial<StoreOptions> = {}): Promise<BlockStore> {
  const store = await openStore(dir, changes);
  const bytes = new Bytes('genesis state');
  await store.commit({
    block: genesis,
    stateRoot: genesis.header.stateRoot,
    nodes: nodesOf(3, bytes),
    code: nodesOf(1, bytes, 500),
  });
  return store;
}

/** The code of the refusal, or undefined when it went well. Any other error fails the test. */
export async function refusal(open: Promise<BlockStore>): Promise<string | undefined> {
  try {
    await (await open).close();
    return undefined;
  } catch (error) {
    if (error instanceof DataDirError) return error.code;
    throw error;
  }
}

/** Every file below a directory with a digest of its contents. */
export function fingerprint(dir: string): Record<string, string> {
  const files: Record<string, string> = {};
  for (const name of readdirSync(dir, { recursive: true }) as string[]) {
    const path = join(dir, name);
    files[name] = statSync(path).isFile()
      ? createHash('sha256').update(readFileSync(path)).digest('hex')
      : 'directory';
  }
  return files;
}
