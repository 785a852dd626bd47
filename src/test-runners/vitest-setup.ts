import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createDevnet, type Devnet, type DevnetOptions } from '../index.ts';
import { forSuites } from '../options/for-suites.ts';

/** What is used of Vitest's project. */
interface Project {
  provide(key: never, value: never): void;
}

/**
 * A globalSetup of Vitest: a chain for each worker, all in Vitest's own process, so that workers load no EVM. A worker's
 * chain is started when its first test asks for it, and lives until the run ends.
 */
export function devnetSetup(options: DevnetOptions = {}) {
  return async (project: Project): Promise<() => Promise<void>> => {
    const chains = new Map<string, Promise<Devnet>>();
    const chainOf = (worker: string) => {
      const known = chains.get(worker) ?? createDevnet({ ...forSuites(options), port: 0 });
      chains.set(worker, known);
      return known;
    };
    // Workers ask for the address of their chain: how many of them there will be isn't known here.
    const server = createServer((request, response) => {
      chainOf(request.url ?? '').then(
        ({ url }) => response.end(url),
        (error: unknown) => response.writeHead(500).end(String(error)),
      );
    });
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject).listen(0, '127.0.0.1', resolve);
    });
    const { port } = server.address() as AddressInfo;
    project.provide('devnet' as never, `http://127.0.0.1:${port}` as never);
    return async () => {
      server.close();
      server.closeAllConnections();
      // One that couldn't be started was told to its worker.
      await Promise.allSettled([...chains.values()].map(async (chain) => (await chain).close()));
    };
  };
}

export default devnetSetup();
