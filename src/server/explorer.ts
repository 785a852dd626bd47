import { readFile } from 'node:fs/promises';
import type { ArtifactFolder } from '../sources/artifact-folder.ts';
import type { StackTraceThread } from '../stack-trace/thread.ts';

/** A file of the explorer, and its response headers. */
export interface ExplorerFile {
  readonly content: Buffer;
  readonly headers: Readonly<Record<string, string>>;
}

/** The folder of the page, which the build puts beside the bundle. */
const FOLDER = new URL(process.env.DEVNET_EXPLORER ?? '../../dist/explorer/', import.meta.url);

/** Only the page's own files can be loaded and run, and no other page can frame it. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

const PAGE = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': POLICY,
  'cache-control': 'no-cache',
  'referrer-policy': 'no-referrer',
};

const TYPES: Readonly<Record<string, string>> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
};

/** Path of the page's own WebSocket, whose reads aren't logged (src/explorer/app.ts). */
export const EXPLORER_RPC = '/explorer/rpc';

/** The path of the ABIs of compiled contracts. */
const ARTIFACTS = '/explorer/artifacts.json';

/** The path of a script or a style sheet. Its name contains a hash of its content, so browsers may cache it forever. */
const ASSET = /^\/explorer\/([\w-]+(?:\.[\w-]+)*\.(js|css))$/;

/** The web page that shows the chain (src/explorer). Its files are read when they are requested. */
export class Explorer {
  readonly #folder: URL;
  readonly #artifacts: Pick<ArtifactFolder, 'read'>;
  readonly #buildInfos: Pick<StackTraceThread, 'prepare'> | undefined;

  /** @param options.folder the build's output for src/explorer; ends with a slash */
  constructor(
    options: { readonly folder?: URL },
    deps: {
      readonly artifacts: Pick<ArtifactFolder, 'read'>;
      /** has the sources of contracts, if the page may request them */
      readonly buildInfos?: Pick<StackTraceThread, 'prepare'>;
    },
  ) {
    this.#folder = options.folder ?? FOLDER;
    this.#artifacts = deps.artifacts;
    this.#buildInfos = deps.buildInfos;
  }

  /** @returns `undefined` if the page isn't built, as in a fresh clone */
  page(): Promise<ExplorerFile | undefined> {
    return this.#read('index.html', PAGE);
  }

  /** @param path the path of a request @returns `undefined` if no file has this path */
  async asset(path: string): Promise<ExplorerFile | undefined> {
    if (path === ARTIFACTS) {
      const artifacts = await this.#artifacts.read();
      const content = Buffer.from(JSON.stringify(artifacts));
      // A page was opened, which will need the sources to show failures.
      this.#buildInfos?.prepare();
      return { content, headers: { 'content-type': 'application/json', 'cache-control': 'no-store' } };
    }
    const [, name, ending] = ASSET.exec(path) ?? [];
    if (name === undefined || ending === undefined) return undefined;
    return this.#read(name, {
      'content-type': TYPES[ending]!,
      'cache-control': 'public, max-age=31536000, immutable',
    });
  }

  async #read(name: string, headers: Record<string, string>): Promise<ExplorerFile | undefined> {
    try {
      const content = await readFile(new URL(name, this.#folder));
      return { content, headers: { ...headers, 'x-content-type-options': 'nosniff' } };
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
      throw error;
    }
  }
}
