import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { DevnetOptions } from '../../../src/index.ts';
import { blockFiles, folder, removeFoldersAfterEachTest } from './cache-folder.ts';
import { closeChainsAfterEachTest, encode, forkOf, original, type TestChain } from './chains.ts';
import { closeProxiesAfterEachTest, proxyOf } from './proxy.ts';

closeProxiesAfterEachTest();
removeFoldersAfterEachTest();
closeChainsAfterEachTest();

const FAST = { forkRetries: 0 };

async function behindProxy(options: DevnetOptions = {}) {
  const one = await original();
  const proxy = await proxyOf(one.url);
  const forkCache = folder();
  const start = (more: DevnetOptions = {}) =>
    forkOf(proxy, { ...FAST, forkCache, forkBlockNumber: 3, ...options, ...more });
  /** Every request is answered so from now on. */
  const refuse = () => {
    proxy.state.fault = () => ({ status: 403 });
  };
  return { one, proxy, forkCache, start, refuse };
}

/** Reads and writes of all kinds. */
async function suite(fork: TestChain, one: Awaited<ReturnType<typeof original>>) {
  const [first, second] = one.accounts;
  const answers = [
    await fork.call('eth_call', { to: one.token, data: encode('balanceOf', second) }),
    await fork.call('eth_getBalance', one.token),
    await fork.call('eth_getCode', one.token),
    await fork.call('eth_getBalance', second, '0x2'),
    await fork.call('eth_getTransactionReceipt', one.sent[0]),
    await fork.call('eth_getTransactionByHash', one.sent[1]),
    await fork.call('eth_getTransactionByHash', `0x${'77'.repeat(32)}`),
    await fork.call('eth_getBlockByNumber', '0x1', true),
    await fork.call('eth_getBlockByHash', (await one.block('0x2')).hash, false),
    await fork.call('eth_getLogs', { fromBlock: '0x0', toBlock: 'latest', address: one.token }),
    await fork.call('eth_feeHistory', '0x2', '0x3', [50]),
    await fork.call('debug_traceTransaction', one.sent[0], { tracer: 'callTracer' }),
  ];
  const hash = await fork.send({ from: first, to: one.token, data: encode('transfer', second, 5n) });
  answers.push(await fork.receipt(hash));
  const { hash: head } = await fork.block('latest');
  await fork.node.close();
  return { answers, head };
}

describe('the fork cache', () => {
  it('names no block of another chain with the same id: anvil_reset forks at the block that the node has', async () => {
    const forkCache = folder();
    const [one, other] = [await original(), await original({ timestamp: 1_800_000_000 })];
    const first = await forkOf(one, { ...FAST, forkCache, forkBlockNumber: 1 });
    await first.node.close();
    const fork = await forkOf(other, { ...FAST, forkCache });
    await fork.call('anvil_reset', { forking: { jsonRpcUrl: other.url, blockNumber: 1 } });
    expect((await fork.block('latest')).hash).toBe((await other.block('0x1')).hash);
    expect((await one.block('0x1')).hash).not.toBe((await other.block('0x1')).hash);
  });

  it('lets a second start of the same suite ask nothing, of a node that refuses', async () => {
    const { one, start, proxy, refuse } = await behindProxy();
    const first = await suite(await start(), one);
    expect(proxy.seen.length).toBeGreaterThan(5);
    refuse();
    proxy.seen.length = 0;
    const again = await start();
    expect(again.node.fork).toMatchObject({ blockNumber: 3n });
    const metrics = await (await fetch(`${again.url}/metrics`)).text();
    expect(metrics).toMatch(/^devnet_fork_requests_total 0$/m);
    expect(metrics).toMatch(/^devnet_fork_fetched_total 0$/m);
    expect(metrics).toMatch(/^devnet_fork_cached_total [1-9]\d*$/m);
    expect(await suite(again, one)).toEqual(first);
    expect(proxy.seen).toEqual([]);
  });

  it('asks for the newest block where none is named, and for nothing else that it has', async () => {
    const { one, start, proxy } = await behindProxy({ forkBlockNumber: undefined as never });
    const first = await suite(await start(), one);
    proxy.seen.length = 0;
    expect(await suite(await start(), one)).toEqual(first);
    expect(proxy.asked()).toEqual(['eth_blockNumber', 'eth_chainId', 'eth_getBlockByNumber']);
  });

  it('is shared by chains that run at the same time', async () => {
    const { one, start, proxy, refuse } = await behindProxy();
    const [a, b] = [await start(), await start()];
    const call = { to: one.token, data: encode('balanceOf', one.accounts[1]) };
    const balance = await a.call('eth_call', call);
    refuse();
    proxy.seen.length = 0;
    expect(await b.call('eth_call', call)).toBe(balance);
    expect(proxy.seen).toEqual([]);
  });

  it('fetches again what was changed in the files, wherever a byte was flipped', async () => {
    const { one, start, proxy, forkCache } = await behindProxy();
    const first = await suite(await start(), one);
    const [path] = blockFiles(forkCache);
    const whole = readFileSync(path!);
    for (let i = 1; i < 4; i++) {
      const bytes = Buffer.from(whole);
      for (let at = i * 37; at < bytes.length; at += 997) bytes[at]! ^= 0x10;
      writeFileSync(path!, bytes);
      proxy.seen.length = 0;
      expect(await suite(await start(), one)).toEqual(first);
      expect(proxy.seen.length).toBeGreaterThan(0);
    }
  });

  it('keeps what comes after the end of a line that a killed process left unfinished', async () => {
    const { one, start, proxy, forkCache, refuse } = await behindProxy();
    await (await start()).node.close();
    appendFileSync(blockFiles(forkCache)[0]!, '{"method":"eth_getBal');
    const first = await suite(await start(), one);
    refuse();
    proxy.seen.length = 0;
    expect(await suite(await start(), one)).toEqual(first);
    expect(proxy.seen).toEqual([]);
  });

  it('takes nothing of a node that has another block there, and says so', async () => {
    const { one, start, forkCache } = await behindProxy();
    await (await start()).node.close();
    const size = readFileSync(blockFiles(forkCache)[0]!).length;
    const other = await original({ seed: 'another' });
    const fork = await forkOf(await proxyOf(other.url), {
      ...FAST,
      forkCache,
      forkBlockNumber: 3,
      forkChainId: 31337,
    });
    const error = await fork.call('eth_getCode', one.token).catch((e) => e);
    expect(error).toMatchObject({ code: -32000, message: expect.stringMatching('its block 3 has the hash') });
    expect(error.message).toMatch((await one.block('0x3')).hash);
    expect(readFileSync(blockFiles(forkCache)[0]!).length).toBe(size);
  });

  it('removes the blocks that were not used for longest', async () => {
    const { start, forkCache } = await behindProxy();
    for (const forkBlockNumber of [1, 2, 3]) await (await start({ forkBlockNumber })).node.close();
    expect(blockFiles(forkCache)).toHaveLength(3);
    await (await start({ forkBlockNumber: 1 })).node.close();
    const [size] = blockFiles(forkCache).map((path) => readFileSync(path).length);
    // The genesis block takes less.
    await (await start({ forkBlockNumber: 0, forkCacheSize: 2 * size! })).node.close();
    const left = blockFiles(forkCache).map((path) => /(\d+)-0x/.exec(path)![1]);
    expect(left.sort()).toEqual(['0', '1']);
  });

  it('can be left out', async () => {
    const { one, start, proxy, forkCache } = await behindProxy();
    await suite(await start(), one);
    proxy.seen.length = 0;
    const fork = await start({ forkCache: undefined as never, noForkCache: true });
    expect(fork.node.fork?.cacheDir).toBeUndefined();
    await suite(fork, one);
    expect(proxy.seen.length).toBeGreaterThan(5);
    expect(blockFiles(forkCache)).toHaveLength(1);
  });

  it('works without a folder that can be written, in memory', async () => {
    const { one, start, forkCache } = await behindProxy();
    writeFileSync(`${forkCache}/file`, '');
    const first = await suite(await start(), one);
    expect(await suite(await start({ forkCache: `${forkCache}/file/cache` }), one)).toEqual(first);
  });
});
