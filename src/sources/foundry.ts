import { readFile, stat } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { bytesToHex } from '@ethereumjs/util';
import { JsonSlice } from '../json-slice.ts';
import { keccak256 } from '../state/keccak.ts';
import { contractOf, objectOf, parsedPart, readParts, textOf } from './build-info.ts';
import { type BuiltContract, type BuiltSource, Compilation } from './compilation.ts';
import { jsonFilesBelow } from './files-below.ts';
import { MAX_ARTIFACTS, MAX_SOURCE_SIZE } from './limits.ts';

/** The record of a build that Foundry writes without `--build-info`: it has no source texts and no syntax trees. */
export interface BareBuild {
  readonly id: string;
  /** names of sources by their ids in source maps */
  readonly paths: ReadonlyMap<number, string>;
  /** milliseconds since the Unix epoch */
  readonly modified: number;
}

/** An artifact, with the data that identify its build. */
interface Artifact {
  /** path below the folder of artifacts */
  readonly path: string;
  readonly contract: BuiltContract;
  /** id of the source in the build */
  readonly id: number;
  readonly solcVersion: string;
  readonly viaIr: boolean;
  readonly isOptimized: boolean;
  /** keccak256 of the sources, by name */
  readonly hashes: ReadonlyMap<string, string>;
}

const BUILD_INFO = new Set(['build-info']);

/**
 * A Foundry project whose build infos have no sources. Reads the sources from the project, and uses those that haven't changed since the
 * build.
 */
export class FoundryProject {
  readonly #root: string;
  #state: string | undefined;
  #compilations: readonly Compilation[] = [];

  /** @param root the folder of artifacts, within the project's folder */
  constructor(root: string) {
    this.#root = root;
  }

  /** @returns the compilations, the newest first; the same list object if no artifact has changed */
  async read(builds: readonly BareBuild[]): Promise<readonly Compilation[]> {
    const names = await this.#names();
    const states: string[] = builds.map(({ id, modified }) => `${id}:${modified}`);
    for (const name of names) {
      const { mtimeMs, size } = await stat(join(this.#root, name)).catch(() => ({ mtimeMs: 0, size: 0 }));
      states.push(`${name}:${mtimeMs}:${size}`);
    }
    const state = states.join();
    if (state === this.#state) return this.#compilations;
    this.#state = state;
    this.#compilations = await this.#compile(names, builds);
    return this.#compilations;
  }

  async #names(): Promise<string[]> {
    return (await jsonFilesBelow(this.#root, BUILD_INFO)).slice(0, MAX_ARTIFACTS);
  }

  async #compile(names: readonly string[], builds: readonly BareBuild[]): Promise<readonly Compilation[]> {
    const artifacts: Artifact[] = [];
    for (const name of names) {
      const text = await readText(join(this.#root, name));
      const artifact = text && artifactOf(name, text);
      if (artifact) artifacts.push(artifact);
    }
    const buildOf = await this.#buildIds();
    const newest = [...builds].sort((a, b) => b.modified - a.modified);
    const groups = new Map<BareBuild, Artifact[]>();
    for (const artifact of artifacts) {
      const named = newest.find(({ id }) => id === buildOf.get(artifact.path));
      const build = named ?? newest.find(({ paths }) => paths.get(artifact.id) === artifact.contract.source);
      if (build) groups.set(build, [...(groups.get(build) ?? []), artifact]);
    }
    const compilations: Compilation[] = [];
    for (const build of newest) {
      const group = groups.get(build);
      if (group) compilations.push(await this.#compilation(build, group));
    }
    return compilations;
  }

  /** Reads from Foundry's cache which build made each artifact, by the artifact's path. */
  async #buildIds(): Promise<ReadonlyMap<string, string>> {
    const ids = new Map<string, string>();
    const cache = await readText(join(dirname(this.#root), 'cache', 'solidity-files-cache.json'));
    for (const file of Object.values(objectOf(objectOf(parsedPart(cache)).files)))
      for (const versions of Object.values(objectOf(objectOf(file).artifacts)))
        for (const profiles of Object.values(objectOf(versions)))
          for (const artifact of Object.values(objectOf(profiles))) {
            const { path, build_id: id } = objectOf(artifact);
            ids.set(textOf(path), textOf(id));
          }
    return ids;
  }

  async #compilation({ paths }: BareBuild, artifacts: readonly Artifact[]): Promise<Compilation> {
    const hashes = new Map(artifacts.flatMap((artifact) => [...artifact.hashes]));
    const sources: BuiltSource[] = [];
    for (const [id, name] of paths) {
      const hash = hashes.get(name);
      const text = hash === undefined ? undefined : await this.#source(name, hash);
      sources.push({ key: name, name, id, text: () => text ?? '', tree: undefined });
    }
    const { solcVersion, viaIr, isOptimized } = artifacts[0]!;
    const contracts = artifacts.map(({ contract }) => contract);
    return new Compilation({ solcVersion, viaIr, isOptimized, sources, contracts });
  }

  /** @returns `undefined` if the file is missing, or isn't the one that was compiled */
  async #source(name: string, hash: string): Promise<string | undefined> {
    const project = dirname(this.#root);
    const path = join(project, name);
    // Remappings may point outside the project, and names in a hand-written file may point anywhere.
    if (relative(project, path).startsWith('..')) return undefined;
    try {
      if (!(await isReadable(path))) return undefined;
      const bytes = await readFile(path);
      return bytesToHex(keccak256(bytes)) === hash ? bytes.toString('utf8') : undefined;
    } catch {
      return undefined;
    }
  }
}

/** @returns `undefined` if the file isn't an artifact of Foundry */
function artifactOf(path: string, text: JsonSlice): Artifact | undefined {
  const parts = readParts(text);
  const part = (name: string) => parsedPart(parts.texts.get(name));
  const id = part('id');
  if (!parts.texts.has('abi') || typeof id !== 'number') return undefined;
  const metadata = objectOf(part('metadata') ?? parsed(textOf(part('rawMetadata'))));
  const { compiler, settings, sources } = metadata;
  const { compilationTarget, optimizer, viaIR } = objectOf(settings);
  const [target] = Object.entries(objectOf(compilationTarget));
  if (!target) return undefined;
  return {
    path,
    id,
    contract: contractOf(target[0], textOf(target[1]), parts),
    solcVersion: textOf(objectOf(compiler).version),
    viaIr: viaIR === true,
    isOptimized: objectOf(optimizer).enabled === true,
    hashes: new Map(
      Object.entries(objectOf(sources)).map(([name, source]) => [name, textOf(objectOf(source).keccak256)]),
    ),
  };
}

/** Whether a path is a file of no more than {@link MAX_SOURCE_SIZE} bytes: reading a pipe would block until another process writes to it. */
async function isReadable(path: string): Promise<boolean> {
  const found = await stat(path);
  return found.isFile() && found.size <= MAX_SOURCE_SIZE;
}

async function readText(path: string): Promise<JsonSlice | undefined> {
  try {
    return (await isReadable(path)) ? new JsonSlice(await readFile(path)) : undefined;
  } catch {
    return undefined;
  }
}

function parsed(text: string): unknown {
  return parsedPart(new JsonSlice(Buffer.from(text)));
}
