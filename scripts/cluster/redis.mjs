import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient } from '@redis/client';
import { freePort, running } from '../bench/node.mjs';

let version;

/** A Redis server for one run. */
export class RedisServer {
  /** whether Redis keeps its data after it was killed */
  keeps;
  #dir = mkdtempSync(join(tmpdir(), 'devnet-cluster-'));
  #child;
  #client;
  port = 0;
  /** number of times that Redis lost its data */
  losses = 0;
  isUp = false;

  /** @param options.keeps whether Redis keeps its data after it was killed */
  constructor({ keeps }) {
    this.keeps = keeps;
  }

  async start() {
    this.port ||= await freePort();
    const flags = ['--port', `${this.port}`, '--bind', '127.0.0.1', '--dir', this.#dir, '--save', ''];
    const appending = ['--appendonly', this.keeps ? 'yes' : 'no', '--appendfsync', 'always'];
    // refuseDisk changes the directory at run time, which Redis from version 7 on allows only with this option.
    version ??= Number(
      /v=(\d+)/.exec(spawnSync('redis-server', ['--version'], { encoding: 'utf8' }).stdout)[1],
    );
    const changing = version >= 7 ? ['--enable-protected-configs', 'local'] : [];
    const args = [...flags, ...appending, ...changing];
    const child = spawn('redis-server', args, { stdio: ['ignore', 'pipe', 'ignore'] });
    this.#child = child;
    running.add(child);
    await new Promise((ready, fail) => {
      child.once('error', () => fail(new Error('there is no redis-server')));
      child.once('exit', () => fail(new Error('redis-server ended')));
      child.stdout.on('data', (text) => {
        if (String(text).includes('Ready to accept connections')) ready();
      });
    });
    this.#client = createClient({
      socket: { port: this.port, reconnectStrategy: false, connectTimeout: 60_000 },
    });
    this.#client.on('error', () => {});
    await this.#client.connect();
    this.isUp = true;
  }

  /** Ends Redis with SIGKILL. */
  async kill() {
    this.isUp = false;
    this.#client?.destroy();
    const exit = once(this.#child, 'exit');
    this.#child.kill('SIGKILL');
    await exit;
    running.delete(this.#child);
    if (!this.keeps) this.losses++;
  }

  /** @returns the reply to a command */
  command(...args) {
    return this.#client.sendCommand(args);
  }

  async flush() {
    await this.command('FLUSHALL');
    this.losses++;
  }

  /** Makes Redis reject writes for lack of memory. */
  refuseMemory = () => this.command('CONFIG', 'SET', 'maxmemory', '1');
  allowMemory = () => this.command('CONFIG', 'SET', 'maxmemory', '0');

  /** Makes Redis reject writes as with a full disk: saving fails (MISCONF). */
  async refuseDisk() {
    const gone = join(this.#dir, 'gone');
    mkdirSync(gone, { recursive: true });
    await this.command('CONFIG', 'SET', 'dir', gone);
    rmSync(gone, { recursive: true });
    await this.command('CONFIG', 'SET', 'stop-writes-on-bgsave-error', 'yes');
    await this.command('CONFIG', 'SET', 'save', '3600 1');
    await this.command('BGSAVE');
    for (;;) {
      const info = String(await this.command('INFO', 'persistence'));
      if (info.includes('rdb_last_bgsave_status:err')) return;
      await new Promise((done) => setTimeout(done, 20));
    }
  }

  async allowDisk() {
    await this.command('CONFIG', 'SET', 'dir', this.#dir);
    await this.command('CONFIG', 'SET', 'save', '');
    await this.command('CONFIG', 'SET', 'stop-writes-on-bgsave-error', 'no');
  }

  /** Describes the data of a chain in Redis. */
  async describe(chainId) {
    const key = (name) => `devnet:${chainId}:${name}`;
    const ends = await Promise.all(
      ['XRANGE - +', 'XREVRANGE + -'].map((way) => {
        const [command, ...range] = way.split(' ');
        return this.command(command, key('log'), ...range, 'COUNT', '1');
      }),
    );
    const [fence, leader] = await this.command('MGET', key('fence'), key('leader'));
    const left = await this.command('PTTL', key('lease'));
    const snapshots = await this.command('LRANGE', key('snapshots'), '0', '-1');
    const places = snapshots.map((text) => JSON.stringify(JSON.parse(String(text)).position));
    return `log ${ends.map(([entry]) => entry?.[0]).join(' to ')}, fence ${fence}, leader ${leader}, lease ${left} ms, snapshots ${places.join(' ')}`;
  }

  /** Position of the newest snapshot in Redis, or `undefined`. */
  async newestSnapshot(chainId) {
    const texts = await this.command('LRANGE', `devnet:${chainId}:snapshots`, '-1', '-1');
    return texts.length > 0 ? JSON.parse(String(texts[0])).position : undefined;
  }

  async close() {
    if (this.isUp) await this.kill();
    rmSync(this.#dir, { recursive: true, force: true });
  }
}
