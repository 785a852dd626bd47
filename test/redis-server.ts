import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';

/** Whether tests with Redis can run: they need its server, of Debian's package `redis-server` for example. */
export const HAS_REDIS = spawnSync('redis-server', ['--version']).status === 0;
if (!HAS_REDIS) process.emitWarning('tests with Redis are left out: there is no redis-server');

/** A Redis of its own for the tests of a file. */
export interface TestRedis {
  url: string;
  /** where it keeps what it has */
  readonly dir: string;
  /** Ends it with SIGKILL. */
  kill(): Promise<void>;
  /** Starts it again at the same address, with what it had if it keeps that. */
  start(): Promise<void>;
}

/** @param options.keeps whether it keeps what it has over a kill */
export function useRedis(options: { keeps?: boolean } = {}): TestRedis {
  let server: ChildProcess | undefined;
  let dir = '';
  let port = 0;
  const redis: TestRedis = {
    url: '',
    get dir() {
      return dir;
    },
    start: async () => {
      const appendonly = options.keeps ? 'yes' : 'no';
      const flags = { port, bind: '127.0.0.1', save: '', appendonly, appendfsync: 'always', dir };
      const args = Object.entries(flags).flatMap(([name, value]) => [`--${name}`, String(value)]);
      server = spawn('redis-server', args);
      let log = '';
      while (!log.includes('Ready to accept connections')) {
        const [text] = await once(server.stdout!, 'data');
        log += text;
      }
    },
    kill: async () => {
      if (!server || server.exitCode !== null || server.signalCode !== null) return;
      const exited = once(server, 'exit');
      server.kill('SIGKILL');
      await exited;
    },
  };
  beforeAll(async () => {
    if (!HAS_REDIS) return;
    dir = mkdtempSync(join(tmpdir(), 'devnet-redis-'));
    port = await freePort();
    await redis.start();
    redis.url = `redis://127.0.0.1:${port}`;
  });
  afterAll(async () => {
    await redis.kill();
    if (dir !== '') rmSync(dir, { recursive: true, force: true });
  });
  return redis;
}

/** redis-server takes no port 0 for any free one. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
