import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Io, main } from '../../../src/cli/main.ts';
import type { DevnetOptions } from '../../../src/index.ts';
import { blockFiles, folder, removeFoldersAfterEachTest } from './cache-folder.ts';
import { chain, closeChainsAfterEachTest, encode, forkOf, original } from './chains.ts';
import { closeProxiesAfterEachTest, proxyOf } from './proxy.ts';

closeProxiesAfterEachTest();
removeFoldersAfterEachTest();
closeChainsAfterEachTest();

/** Runs `devnet fork-cache`. */
async function forkCache(...args: string[]) {
  const seen = { stdout: '', stderr: '' };
  const write = (stream: 'stdout' | 'stderr') => ({
    write: (text: string) => {
      seen[stream] += text;
    },
  });
  const io = { env: {}, stdout: write('stdout'), stderr: write('stderr'), flush: async () => {} };
  return { code: await main(['fork-cache', ...args], io as unknown as Io), ...seen };
}

/** A cache in which a fork at block 3 has left a balance of the token. */
async function filled(options: DevnetOptions = {}) {
  const one = await original(options);
  const proxy = await proxyOf(one.url);
  const dir = folder();
  const call = { to: one.token, data: encode('balanceOf', one.accounts[1]) };
  const fork = await forkOf(proxy, { forkCache: dir, forkBlockNumber: 3 });
  const balance = await fork.call('eth_call', call);
  await fork.node.close();
  proxy.seen.length = 0;
  return { one, proxy, dir, call, balance };
}

describe('a fork without a network', () => {
  it('answers from the cache, and names what that lacks: account, slot and block', async () => {
    const { one, proxy, dir, call, balance } = await filled();
    const fork = await forkOf(proxy, { forkCache: dir, forkOffline: true });
    expect(await fork.call('eth_blockNumber')).toBe('0x3');
    expect(await fork.call('eth_call', call)).toBe(balance);
    const other = `0x${'ab'.repeat(20)}`;
    const { hash } = await one.block('0x3');
    const at = `at block 3 of chain 31337 (${hash}) is not in the fork cache`;
    await expect(fork.call('eth_getBalance', other)).rejects.toMatchObject({
      code: -32000,
      message: expect.stringContaining(`the account ${other} ${at}`),
    });
    await expect(fork.call('eth_getStorageAt', one.token, '0x99', 'latest')).rejects.toMatchObject({
      code: -32000,
      message: expect.stringContaining(`slot 0x${'99'.padStart(64, '0')} of the account ${one.token} ${at}`),
    });
    await expect(fork.call('eth_getBlockReceipts', '0x1')).rejects.toMatchObject({
      code: -32000,
      message: expect.stringContaining(`the answer to eth_getBlockReceipts("0x1") ${at}`),
    });
    await expect(fork.send({ to: one.token, data: encode('transfer', other, 1n) })).rejects.toMatchObject({
      code: -32000,
    });
    await fork.send({ to: one.accounts[1], value: '0x5' });
    expect(await fork.call('eth_blockNumber')).toBe('0x4');
    expect(proxy.seen).toEqual([]);
  });

  it('says at the start what is missing', async () => {
    const { proxy, dir } = await filled();
    const start = (options: DevnetOptions) =>
      chain({ forkUrl: proxy.url, forkCache: dir, forkOffline: true, ...options });
    await expect(start({ forkBlockNumber: 2 })).rejects.toThrow(
      `can't fork from ${proxy.url}: the fork cache in ${dir} has no block 2 of that node; start once without --fork-offline, or read a file with devnet fork-cache import`,
    );
    await expect(start({ forkChainId: 1 })).rejects.toThrow('has no block of chain 1');
    await expect(start({ forkBlockNumber: -1 })).rejects.toMatchObject({ code: -32602 });
    await expect(start({ forkCache: folder() })).rejects.toThrow('has no block of that node');
  });

  it('goes on from one file on another machine, compressed or not', async () => {
    const { dir, call, balance } = await filled();
    const there = folder();
    for (const name of ['forks.jsonl', 'forks.jsonl.gz']) {
      const file = join(there, name);
      expect(await forkCache('export', file, '--fork-cache', dir)).toMatchObject({
        code: 0,
        stdout: expect.stringMatching(/^Exported 1 block with \d+ entries to /),
      });
      const cache = join(there, `cache of ${name}`);
      expect(await forkCache('import', file, '--fork-cache', cache)).toMatchObject({ code: 0 });
      const options = { forkUrl: 'http://node.invalid/key', forkCache: cache, forkOffline: true };
      const fork = await chain(options);
      expect(await fork.call('eth_call', call)).toBe(balance);
      await fork.node.close();
    }
  });

  it('asks which chain is meant where the cache has several and nobody knows the URL', async () => {
    const { dir } = await filled();
    const other = await original({ chainId: 77 });
    await (await forkOf(other, { forkCache: dir })).node.close();
    const options = { forkUrl: 'http://node.invalid', forkCache: dir, forkOffline: true };
    await expect(chain(options)).rejects.toMatchObject({
      code: -32602,
      message: expect.stringContaining('chains 77, 31337'),
    });
    const fork = await chain({ ...options, forkChainId: 77 });
    expect(await fork.call('eth_chainId')).toBe('0x4d');
  });
});

describe('devnet fork-cache', () => {
  it('lists, and removes what it is told', async () => {
    const { one, dir } = await filled();
    await (await forkOf(one, { forkCache: dir, forkBlockNumber: 1 })).node.close();
    const listed = await forkCache('list', '--fork-cache', dir, '--json');
    expect(
      listed.stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line)),
    ).toMatchObject([
      { chainId: '31337', number: '3', hash: (await one.block('0x3')).hash, size: expect.any(Number) },
      { chainId: '31337', number: '1', used: expect.stringMatching(/^\d{4}-.*Z$/) },
    ]);
    expect((await forkCache('list', '--fork-cache', dir)).stdout).toMatch(/: 2 blocks, [\d.]+ KiB\n/);
    expect((await forkCache('prune', '--fork-cache', dir)).stdout).toBe('Removed 0 blocks, 0 B\n');
    expect((await forkCache('prune', '--fork-cache', dir, '--block', '3')).stdout).toMatch(
      /^Removed 1 block,/,
    );
    expect(blockFiles(dir)).toHaveLength(1);
    expect((await forkCache('prune', '--fork-cache', dir, '--fork-cache-size', '1K')).stdout).toMatch(
      /^Removed 1/,
    );
    expect(blockFiles(dir)).toEqual([]);
  });

  it('imports nothing of a file that was changed, and names the line', async () => {
    const { dir } = await filled();
    const there = folder();
    const file = join(there, 'forks.jsonl');
    await forkCache('export', file, '--fork-cache', dir);
    const lines = readFileSync(file, 'utf8').split('\n');
    const changed = (text: string) => {
      writeFileSync(file, text);
      return forkCache('import', file, '--fork-cache', join(there, 'cache'));
    };
    const cases: [string, RegExp][] = [
      [lines.map((line, i) => (i === 2 ? line.replace('0x', '0y') : line)).join('\n'), /line 3 was changed/],
      [lines.join('\n').slice(0, -9), /was changed, or the file is cut short/],
      ['hello\n', /is no file of devnet fork-cache export/],
      ['', /is empty/],
      [lines.slice(1).join('\n'), /line 1 is no entry of a block/],
    ];
    for (const [text, reason] of cases)
      expect(await changed(text)).toMatchObject({ code: 1, stderr: expect.stringMatching(reason) });
    expect(blockFiles(there)).toEqual([file]);
    expect(await forkCache('export', '--fork-cache', folder())).toMatchObject({ code: 1 });
    writeFileSync(`${file}.gz`, 'no gzip');
    for (const name of [`${file}.gz`, join(there, 'nothing.gz'), join(there, 'nothing.jsonl'), there])
      expect(await forkCache('import', name, '--fork-cache', join(there, 'cache'))).toMatchObject({
        code: 1,
        stderr: expect.stringContaining(`error: ${name} can't be read: `),
      });
    expect(await forkCache('explode')).toMatchObject({
      code: 1,
      stderr: "error: fork-cache: expected list, export, import, prune, got 'explode'\n",
    });
  });
});
