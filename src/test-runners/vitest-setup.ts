import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Account } from '../api/chain-actions.ts';
import { createDevnet, type Devnet, type DevnetOptions } from '../index.ts';
import { forSuites } from '../options/for-suites.ts';

/** The part of Vitest's project that is used. */
interface Project {
  provide(key: never, value: never): void;
}

/** What a worker is told about its chain. */
export interface SetupAnswer {
  readonly url: string;
  readonly accounts: readonly Account[];
  /** what the chain has printed since the worker's last request */
  readonly log: readonly string[];
}

/** A worker and its chain. */
interface Worker {
  readonly chain: Promise<Devnet>;
  log: string[];
}

/**
 * A globalSetup for Vitest: one chain per worker, all in Vitest's own process, so that workers needn't load the EVM. A worker's chain is
 * started when its first test requests it, and runs until the end of the run. Its output is shown with the test.
 */
export function devnetSetup(options: DevnetOptions = {}) {
  return async (project: Project): Promise<() => Promise<void>> => {
    const workers = new Map<string, Worker>();
    const workerOf = (name: string): Worker => {
      const known = workers.get(name);
      if (known) return known;
      const chain = createDevnet(
        { ...forSuites(options), port: 0 },
        { onLog: (lines) => void worker.log.push(lines) },
      );
      const worker: Worker = { chain, log: [] };
      workers.set(name, worker);
      return worker;
    };
    const answer = async (name: string): Promise<SetupAnswer> => {
      const worker = workerOf(name);
      const { url, accounts, provider } = await worker.chain;
      // An in-process request is answered after everything has been printed.
      await provider.request({ method: 'web3_clientVersion' });
      const { log } = worker;
      worker.log = [];
      return { url: url!, accounts, log };
    };
    // Workers request the URL of their chain, because their number isn't known here.
    const server = createServer((request, response) => {
      answer(request.url ?? '').then(
        (told) => response.end(JSON.stringify(told)),
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
      // If a chain couldn't be started, its worker has been told.
      await Promise.allSettled([...workers.values()].map(async ({ chain }) => (await chain).close()));
    };
  };
}

export default devnetSetup();
