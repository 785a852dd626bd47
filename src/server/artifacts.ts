import { readdir, readFile, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { giveWay } from '../turns.ts';

/** Where Hardhat and Foundry put them. */
const USUAL = ['artifacts', 'out'];
/** Files that are no artifact of one contract: Hardhat's debug files and cache, and what the compiler was given. */
const OTHER = /\.dbg\.json$|(^|[/\\])(build-info|cache|node_modules)[/\\]/;
const MOST_FILES = 5_000;
/** bytes of one file */
const LARGEST = 4 * 2 ** 20;

/** A compiled contract: what decoding needs of an artifact. */
export interface Artifact {
  /** path in its folder */
  readonly file: string;
  readonly contractName?: unknown;
  readonly abi: readonly unknown[];
  readonly deployedBytecode?: unknown;
  readonly immutableReferences?: unknown;
}

/**
 * Reads the artifacts in a folder and those below it. Files that are something else are left out.
 * @param folder by default `artifacts` and `out` of the working directory, where they exist
 */
export async function readArtifacts(folder?: string): Promise<Artifact[]> {
  const found: Artifact[] = [];
  for (const root of folder === undefined ? USUAL : [folder]) {
    const files = await readdir(resolve(root), { recursive: true }).catch(() => []);
    const wanted = files.filter((file) => file.endsWith('.json') && !OTHER.test(file)).sort();
    for (const file of wanted.slice(0, MOST_FILES)) {
      const artifact = await readArtifact(file, join(root, file));
      if (artifact) found.push(artifact);
      await giveWay();
    }
  }
  return found;
}

async function readArtifact(file: string, path: string): Promise<Artifact | undefined> {
  try {
    if ((await stat(path)).size > LARGEST) return undefined;
    const { contractName, abi, deployedBytecode, immutableReferences } = JSON.parse(
      await readFile(path, 'utf8'),
    );
    if (!Array.isArray(abi)) return undefined;
    return { file, contractName, abi, deployedBytecode, immutableReferences };
  } catch {
    // Not JSON, not an object, or gone since.
    return undefined;
  }
}
