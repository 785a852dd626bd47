import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { basename, resolve, sep } from 'node:path';
import type { DebugProtocol } from '@vscode/debugprotocol';
import type { Run } from './run.ts';

/** Finds a transaction's source files in the project, so that the editor opens these files instead of copies. */
export class SourcePaths {
  readonly #run: Run;
  readonly #folder: string;
  readonly #sources = new Map<number, Promise<DebugProtocol.Source>>();

  /** @param options.folder the project's folder, to which the names of sources are relative */
  constructor(options: { readonly folder: string }, deps: { readonly run: Run }) {
    this.#folder = options.folder;
    this.#run = deps.run;
  }

  /** @param file number of the file */
  source(file: number): Promise<DebugProtocol.Source> {
    let source = this.#sources.get(file);
    if (!source) {
      source = this.#find(file);
      this.#sources.set(file, source);
    }
    return source;
  }

  /** Returns the number of a source given by the editor. @returns `undefined` if the transaction has no such file */
  async fileOf({ path, sourceReference }: DebugProtocol.Source): Promise<number | undefined> {
    const { files } = this.#run;
    if (sourceReference) return sourceReference <= files.length ? sourceReference - 1 : undefined;
    if (typeof path !== 'string') return undefined;
    const wanted = realPath(path);
    for (const file of files.keys()) {
      const found = (await this.source(file)).path;
      if (found !== undefined && realPath(found) === wanted) return file;
    }
    const slashes = path.split(sep).join('/');
    const byName = files.findIndex((name) => slashes === name || slashes.endsWith(`/${name}`));
    return byName < 0 ? undefined : byName;
  }

  async #find(file: number): Promise<DebugProtocol.Source> {
    const name = this.#run.files[file] ?? '';
    const shown = basename(name);
    const text = await this.#run.text(file);
    for (const path of this.#candidates(name))
      if (existsSync(path) && isText(path, text)) return { name: shown, path };
    return { name: shown, sourceReference: file + 1 };
  }

  /** Returns possible paths. Hardhat 3 names the sources of packages `npm/PACKAGE@VERSION/...`; other tools start with the package. */
  #candidates(name: string): readonly string[] {
    const ofPackage = name.replace(/^npm\/((?:@[^/]+\/)?[^/@]+)@[^/]+\//, '$1/');
    return [resolve(this.#folder, name), resolve(this.#folder, 'node_modules', ofPackage)];
  }
}

/** Whether a file still has the compiled text. */
function isText(path: string, text: string): boolean {
  try {
    return readFileSync(path, 'utf8') === text;
  } catch {
    return false;
  }
}

function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return resolve(path);
  }
}
