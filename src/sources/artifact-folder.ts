import { readFile, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { giveWay } from '../turns.ts';
import { jsonFilesBelow } from './files-below.ts';

/** Where Hardhat and Foundry put artifacts. */
export const USUAL_FOLDERS = ['artifacts', 'out'];
/** Folders without artifacts: what the compiler was given and answered, and what tools keep. */
const OTHER_FOLDERS = new Set(['build-info', 'cache', 'node_modules']);
const MOST_FILES = 5_000;
/** bytes of one file */
const LARGEST = 4 * 2 ** 20;

/** A compiled contract: what decoding needs of an artifact's file. */
export interface ArtifactFile {
  /** path in its folder */
  readonly file: string;
  readonly contractName?: unknown;
  readonly abi: readonly unknown[];
  /** hex text, or an object whose `object` is that */
  readonly deployedBytecode?: unknown;
  readonly immutableReferences?: unknown;
}

/** A file as it was read. `artifact`: `undefined` for a file that is something else */
interface Known {
  readonly modified: number;
  readonly size: number;
  readonly artifact: ArtifactFile | undefined;
}

/** The artifacts in a folder and those below it. */
export class ArtifactFolder {
  readonly #roots: readonly string[];
  /** by path */
  #known: ReadonlyMap<string, Known> = new Map();
  #artifacts: readonly ArtifactFile[] = [];
  #reading: Promise<readonly ArtifactFile[]> | undefined;

  /** @param options.folder by default `artifacts` and `out` of the working directory, where they exist */
  constructor(options: { readonly folder?: string | undefined } = {}) {
    this.#roots = options.folder === undefined ? USUAL_FOLDERS : [options.folder];
  }

  /**
   * Reads what has changed since the last time. Files that are something else are left out.
   * @returns the artifacts: the same list where nothing has changed
   */
  read(): Promise<readonly ArtifactFile[]> {
    this.#reading ??= this.#read().finally(() => {
      this.#reading = undefined;
    });
    return this.#reading;
  }

  async #read(): Promise<readonly ArtifactFile[]> {
    const files = new Map<string, Known>();
    let isChanged = false;
    for (const root of this.#roots) {
      const names = await jsonFilesBelow(resolve(root), OTHER_FOLDERS);
      // Hardhat's debug files are no artifacts.
      const wanted = names.filter((name) => !name.endsWith('.dbg.json'));
      for (const name of wanted.slice(0, MOST_FILES)) {
        const path = join(root, name);
        const known = this.#known.get(path);
        const now = await readIfChanged(name, path, known);
        if (now) files.set(path, now);
        isChanged ||= now !== known;
        await giveWay();
      }
    }
    if (isChanged || files.size !== this.#known.size) {
      this.#known = files;
      this.#artifacts = [...files.values()].flatMap(({ artifact }) => artifact ?? []);
    }
    return this.#artifacts;
  }
}

/** @returns `known` where the file is as it was; `undefined` where it is gone */
async function readIfChanged(
  file: string,
  path: string,
  known: Known | undefined,
): Promise<Known | undefined> {
  try {
    const found = await stat(path);
    const { mtimeMs: modified, size } = found;
    if (known?.modified === modified && known.size === size) return known;
    // Reading a pipe would wait for whoever writes to it.
    const text = size > LARGEST || !found.isFile() ? '' : await readFile(path, 'utf8');
    return { modified, size, artifact: artifactIn(file, text) };
  } catch {
    return undefined;
  }
}

/** @param text of a file @returns `undefined` where it is no artifact */
function artifactIn(file: string, text: string): ArtifactFile | undefined {
  try {
    const { contractName, abi, deployedBytecode, immutableReferences } = JSON.parse(text);
    if (!Array.isArray(abi)) return undefined;
    return { file, contractName, abi, deployedBytecode: codeOf(deployedBytecode), immutableReferences };
  } catch {
    // Not JSON, or not an object.
    return undefined;
  }
}

/** Foundry's files also have the source map of the code, which is longer than the code. */
function codeOf(deployed: unknown): unknown {
  if (typeof deployed !== 'object' || deployed === null) return deployed;
  const { object, immutableReferences } = deployed as Readonly<Record<string, unknown>>;
  return { object, immutableReferences };
}
