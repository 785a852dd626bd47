import { readFile, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { giveWay } from '../turns.ts';
import { jsonFilesBelow } from './files-below.ts';
import { MAX_ARTIFACT_SIZE, MAX_ARTIFACTS } from './limits.ts';

/** Folders in which Hardhat and Foundry write artifacts. */
export const USUAL_FOLDERS = ['artifacts', 'out'];
/** Folders that have no artifacts: inputs and outputs of the compiler, and caches of tools. */
const OTHER_FOLDERS = new Set(['build-info', 'cache', 'node_modules']);

/** A compiled contract: the members of its artifact file that are needed to decode and to name. */
export interface ArtifactFile {
  /** path relative to the folder */
  readonly file: string;
  readonly contractName?: unknown;
  readonly abi: readonly unknown[];
  /** hex text, or an object with hex text in `object` */
  readonly deployedBytecode?: unknown;
  readonly immutableReferences?: unknown;
}

interface Codes {
  readonly deployedBytecode?: unknown;
  readonly bytecode?: unknown;
}

/** A file when it was last read. `artifact` is `undefined` if the file isn't an artifact */
interface Known {
  readonly modified: number;
  readonly size: number;
  readonly artifact: ArtifactFile | undefined;
}

/** The artifacts in a folder and its subfolders. */
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
   * Reads the files that changed since the last time. Files that aren't artifacts are left out.
   * @returns the artifacts: the same list if nothing has changed
   */
  read(): Promise<readonly ArtifactFile[]> {
    this.#reading ??= this.#read().finally(() => {
      this.#reading = undefined;
    });
    return this.#reading;
  }

  /**
   * Reads the creation codes of the artifacts that were read last: hex texts, or objects with hex text in `object`. They are not kept,
   * because they are as long as the deployed codes and seldom needed.
   */
  async creationCodes(): Promise<ReadonlyMap<ArtifactFile, unknown>> {
    const codes = new Map<ArtifactFile, unknown>();
    for (const [path, { artifact }] of this.#known) {
      if (!artifact) continue;
      try {
        codes.set(artifact, codesIn(JSON.parse(await readFile(path, 'utf8'))).bytecode);
      } catch {
        // It has been removed or is being written.
      }
      await giveWay();
    }
    return codes;
  }

  async #read(): Promise<readonly ArtifactFile[]> {
    const files = new Map<string, Known>();
    let isChanged = false;
    for (const root of this.#roots) {
      const names = await jsonFilesBelow(resolve(root), OTHER_FOLDERS);
      // Hardhat's debug files aren't artifacts.
      const wanted = names.filter((name) => !name.endsWith('.dbg.json'));
      for (const name of wanted.slice(0, MAX_ARTIFACTS)) {
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

/** @returns `known` if the file is unchanged; `undefined` if it can't be read */
async function readIfChanged(
  file: string,
  path: string,
  known: Known | undefined,
): Promise<Known | undefined> {
  try {
    const found = await stat(path);
    const { mtimeMs: modified, size } = found;
    if (known?.modified === modified && known.size === size) return known;
    // To read a pipe would wait until something is written to it.
    const text = size > MAX_ARTIFACT_SIZE || !found.isFile() ? '' : await readFile(path, 'utf8');
    return { modified, size, artifact: artifactIn(file, text) };
  } catch {
    return undefined;
  }
}

/** @param text of a file @returns `undefined` if it isn't an artifact */
function artifactIn(file: string, text: string): ArtifactFile | undefined {
  try {
    const json = JSON.parse(text);
    const { contractName, abi, immutableReferences } = json;
    if (!Array.isArray(abi)) return undefined;
    return {
      file,
      contractName,
      abi,
      deployedBytecode: withoutSourceMap(codesIn(json).deployedBytecode),
      immutableReferences,
    };
  } catch {
    // Not JSON, or not an object.
    return undefined;
  }
}

/** The codes of an artifact, which solc writes into `evm`. */
function codesIn(artifact: Codes & { readonly evm?: Codes }): Codes {
  return artifact.evm?.deployedBytecode ? artifact.evm : artifact;
}

/** Leaves out the rest of Foundry's object, such as the source map, which is longer than the code. */
function withoutSourceMap(deployed: unknown): unknown {
  if (typeof deployed !== 'object' || deployed === null) return deployed;
  const { object, immutableReferences } = deployed as Readonly<Record<string, unknown>>;
  return { object, immutableReferences };
}
