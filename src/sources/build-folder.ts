import { readdir, readFile, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { JsonSlice } from '../json-slice.ts';
import { USUAL_FOLDERS } from './artifact-folder.ts';
import { readBuild } from './build-info.ts';
import { Compilation } from './compilation.ts';
import { type BareBuild, FoundryProject } from './foundry.ts';
import { MAX_BUILD_SIZE } from './limits.ts';

/** Maximum number of build infos that are read, the newest first. */
const MAX_BUILDS = 200;

/** A build info that was read. */
interface Known {
  readonly modified: number;
  readonly size: number;
  /** `undefined` if the file isn't a build info with the compiler's output */
  readonly compilation: Compilation | undefined;
  /** the record that Foundry writes without `--build-info` */
  readonly bare: BareBuild | undefined;
}

/** The build infos of a project, as Hardhat 2, Hardhat 3 and Foundry write them below their artifacts. */
export class BuildFolder {
  readonly #roots: readonly string[];
  /** by path */
  #known: ReadonlyMap<string, Known> = new Map();
  #compilations: readonly Compilation[] = [];
  /** by root */
  readonly #foundry = new Map<string, FoundryProject>();
  #parts: readonly (readonly Compilation[])[] = [];

  /** @param options.folder default: `artifacts` and `out` in the working directory, if they exist */
  constructor(options: { readonly folder?: string | undefined } = {}) {
    this.#roots = options.folder === undefined ? USUAL_FOLDERS : [options.folder];
  }

  /**
   * Reads the files that have changed since the last call.
   * @returns the compilations, the newest first; the same list object if nothing has changed
   */
  async read(): Promise<readonly Compilation[]> {
    const known = new Map<string, Known>();
    const parts: (readonly Compilation[])[] = [];
    for (const root of this.#roots.map((each) => resolve(each))) {
      const folder = join(root, 'build-info');
      const bare: BareBuild[] = [];
      for (const name of await readdir(folder).catch(() => [])) {
        if (!name.endsWith('.json') || name.endsWith('.output.json')) continue;
        const found = await this.#readFile(folder, name);
        if (!found) continue;
        known.set(join(folder, name), found);
        if (found.bare) bare.push(found.bare);
      }
      if (bare.length > 0) parts.push(await this.#foundryAt(root).read(bare));
    }
    const isSame =
      known.size === this.#known.size &&
      [...known].every(([path, each]) => this.#known.get(path) === each) &&
      parts.length === this.#parts.length &&
      parts.every((part, i) => part === this.#parts[i]);
    if (isSame) return this.#compilations;
    this.#known = known;
    this.#parts = parts;
    const dated = [...known.values()]
      .sort((a, b) => b.modified - a.modified)
      .slice(0, MAX_BUILDS)
      .flatMap(({ compilation }) => compilation ?? []);
    this.#compilations = [...dated, ...parts.flat()];
    return this.#compilations;
  }

  #foundryAt(root: string): FoundryProject {
    let project = this.#foundry.get(root);
    if (!project) {
      project = new FoundryProject(root);
      this.#foundry.set(root, project);
    }
    return project;
  }

  /** @returns the earlier result if the file is unchanged; `undefined` if the file is missing or too large */
  async #readFile(folder: string, name: string): Promise<Known | undefined> {
    const path = join(folder, name);
    // Hardhat 3 writes the compiler's output into a separate file.
    const outputPath = join(folder, name.replace(/\.json$/, '.output.json'));
    try {
      const own = await stat(path);
      const output = await stat(outputPath).catch(() => undefined);
      const modified = Math.max(own.mtimeMs, output?.mtimeMs ?? 0);
      const size = own.size + (output?.size ?? 0);
      const before = this.#known.get(path);
      if (before?.modified === modified && before.size === size) return before;
      // Only regular files: reading a pipe would block until another process writes to it.
      if (!own.isFile() || output?.isFile() === false) return undefined;
      if (own.size > MAX_BUILD_SIZE || (output?.size ?? 0) > MAX_BUILD_SIZE) return undefined;
      const text = new JsonSlice(await readFile(path));
      const beside = output && new JsonSlice(await readFile(outputPath));
      const { info, id, paths } = readBuild(text, beside);
      return {
        modified,
        size,
        compilation: info && new Compilation(info),
        bare: paths && { id, paths, modified },
      };
    } catch {
      return undefined;
    }
  }
}
