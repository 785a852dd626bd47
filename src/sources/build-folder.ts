import { readdir, readFile, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { USUAL_FOLDERS } from './artifact-folder.ts';
import { readBuild, textOf } from './build-info.ts';
import { Compilation } from './compilation.ts';
import { readFoundry } from './foundry.ts';

/** Bytes of one build info: V8's longest string. */
const LARGEST = 500 * 2 ** 20;
/** Build infos that are read, the newest first. */
const MOST_BUILDS = 200;

/** A build info as it was read. */
interface Known {
  readonly modified: number;
  readonly size: number;
  /** `undefined` for a file that is something else */
  readonly compilation: Compilation | undefined;
  /** Foundry's without `--build-info`: the names of the sources by their ids */
  readonly bare: Bare | undefined;
}

/** What Foundry writes about a build without `--build-info`. */
export interface Bare {
  readonly id: string;
  readonly paths: ReadonlyMap<number, string>;
}

/** The build infos of a project, as Hardhat 2, Hardhat 3 and Foundry write them below their artifacts. */
export class BuildFolder {
  readonly #roots: readonly string[];
  /** by path */
  #known: ReadonlyMap<string, Known> = new Map();
  #compilations: readonly Compilation[] = [];
  /** of the artifacts of Foundry that were read */
  #state = '';

  /** @param options.folder by default `artifacts` and `out` of the working directory, where they exist */
  constructor(options: { readonly folder?: string | undefined } = {}) {
    this.#roots = options.folder === undefined ? USUAL_FOLDERS : [options.folder];
  }

  /**
   * Reads what has changed since the last time.
   * @returns the newest compilation first; the same list where nothing has changed
   */
  async read(): Promise<readonly Compilation[]> {
    const known = new Map<string, Known>();
    const bare: { readonly root: string; readonly builds: (Bare & { readonly modified: number })[] }[] = [];
    for (const root of this.#roots) {
      const folder = join(resolve(root), 'build-info');
      const names = await readdir(folder).catch(() => []);
      const builds: (Bare & { modified: number })[] = [];
      for (const name of names) {
        if (!name.endsWith('.json') || name.endsWith('.output.json')) continue;
        const found = await this.#readFile(folder, name);
        if (!found) continue;
        known.set(join(folder, name), found);
        if (found.bare) builds.push({ ...found.bare, modified: found.modified });
      }
      if (builds.length > 0) bare.push({ root: resolve(root), builds });
    }
    const isSame =
      known.size === this.#known.size && [...known].every(([path, each]) => this.#known.get(path) === each);
    const foundry = [];
    for (const { root, builds } of bare) foundry.push(await readFoundry(root, builds, this.#state));
    const state = foundry.map((each) => each.state).join();
    if (isSame && state === this.#state) return this.#compilations;
    this.#known = known;
    this.#state = state;
    const dated = [...known.values()]
      .sort((a, b) => b.modified - a.modified)
      .slice(0, MOST_BUILDS)
      .flatMap(({ compilation }) => compilation ?? []);
    this.#compilations = [...dated, ...foundry.flatMap((each) => each.compilations)];
    return this.#compilations;
  }

  /** @returns what was read before where the file is as it was; `undefined` where it is gone, or too large */
  async #readFile(folder: string, name: string): Promise<Known | undefined> {
    const path = join(folder, name);
    // Hardhat 3 writes the compiler's output into a file beside.
    const outputPath = join(folder, name.replace(/\.json$/, '.output.json'));
    try {
      const own = await stat(path);
      const output = await stat(outputPath).catch(() => undefined);
      const modified = Math.max(own.mtimeMs, output?.mtimeMs ?? 0);
      const size = own.size + (output?.size ?? 0);
      const before = this.#known.get(path);
      if (before?.modified === modified && before.size === size) return before;
      if (own.size > LARGEST || (output?.size ?? 0) > LARGEST) return undefined;
      const json = parsed(await readFile(path, 'utf8'));
      const { output: beside } = output ? parsed(await readFile(outputPath, 'utf8')) : {};
      return { modified, size, ...readText(json, beside) };
    } catch {
      return undefined;
    }
  }
}

function readText(
  json: Readonly<Record<string, unknown>>,
  beside: unknown,
): Omit<Known, 'modified' | 'size'> {
  const { solcVersion, input, output = beside, userSourceNameMap, id, source_id_to_path: paths } = json;
  if (output === undefined && typeof paths === 'object' && paths !== null)
    return {
      compilation: undefined,
      bare: {
        id: textOf(id),
        paths: new Map(Object.entries(paths).map(([key, path]) => [Number(key), textOf(path)])),
      },
    };
  const build = readBuild({ solcVersion, input, output, userSourceNames: userSourceNameMap });
  return { compilation: build && new Compilation(build), bare: undefined };
}

function parsed(text: string): Readonly<Record<string, unknown>> {
  const json: unknown = JSON.parse(text);
  return typeof json === 'object' && json !== null ? (json as Readonly<Record<string, unknown>>) : {};
}

/** The project of a folder of artifacts. */
export function projectOf(root: string): string {
  return dirname(root);
}
