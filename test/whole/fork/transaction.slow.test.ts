import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { DevnetOptions } from '../../../src/index.ts';
import { resolveOptions } from '../../../src/options/options.ts';
import { replayRecording } from '../../../src/replay/replay-recording.ts';
import type { Wire } from '../../wire.ts';
import { chain, closeChainsAfterEachTest, encode, forkOf, original, type TestChain } from './chains.ts';
import { closeProxiesAfterEachTest, proxyOf } from './proxy.ts';

const dirs: string[] = [];
afterEach(async () => {
  for (const dir of dirs.splice(0)) await rm(dir, { recursive: true, force: true });
});
// Hooks run in reverse: the chains are closed before their folders are removed.
closeProxiesAfterEachTest();
closeChainsAfterEachTest();

async function folder(): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'devnet-before-'));
  dirs.push(dir);
  return dir;
}

const SINK = `0x${'51'.repeat(20)}`;

/** A chain with five transfers of a token in block 4, of 1, 2, 4, 8 and 16, and a block after it. */
async function withBlock(options: DevnetOptions = {}) {
  const one = await original(options);
  await one.call('evm_setAutomine', false);
  const hashes: string[] = [];
  for (const amount of [1n, 2n, 4n, 8n, 16n])
    hashes.push(await one.send({ to: one.token, data: encode('transfer', SINK, amount) }));
  await one.call('evm_mine');
  await one.call('evm_mine');
  return { one, hashes };
}

const tokens = async ({ call }: Pick<TestChain, 'call'>, token: string, tag = 'latest') =>
  Number(await call('eth_call', { to: token, data: encode('balanceOf', SINK) }, tag));

const ENGINES: DevnetOptions['engine'][] = ['fast', 'ethereumjs', 'shadow'];

describe.each(ENGINES)('on the engine %s', (engine) => {
  it('the chain begins with the block before, and the state after the transactions before the one that is named', async () => {
    const { one, hashes } = await withBlock();
    for (const [index, expected] of [0, 1, 3, 7, 15].entries()) {
      if (index % 2 === 1) continue;
      const fork = await forkOf(one, { forkTransactionHash: hashes[index]!, engine } as DevnetOptions);
      expect(Number(await fork.call('eth_blockNumber'))).toBe(3);
      expect((await fork.block('latest')).hash).toBe((await one.block('0x3')).hash);
      expect(await tokens(fork, one.token)).toBe(expected);
      expect(await tokens(fork, one.token, 'pending')).toBe(expected);
      const nonce = await fork.call('eth_getTransactionCount', one.accounts[0], 'latest');
      expect(Number(nonce)).toBe(3 + index);
      // The named transaction comes to what it came to there.
      const raw = await one.call('eth_getRawTransactionByHash', hashes[index]);
      expect(await fork.call('eth_sendRawTransaction', raw)).toBe(hashes[index]);
      const [here, there] = [await fork.receipt(hashes[index]!), await one.receipt(hashes[index]!)];
      expect([here.status, here.gasUsed, here.blockNumber]).toEqual([there.status, there.gasUsed, '0x4']);
      expect(here.logs.map(({ data }: Wire) => data)).toEqual(there.logs.map(({ data }: Wire) => data));
    }
  });
});

it('the other chain is asked for one block and its receipts, besides the state', async () => {
  const { one, hashes } = await withBlock();
  const proxy = await proxyOf(one.url);
  await forkOf(proxy, { forkTransactionHash: hashes[3]! });
  const asked = proxy.asked().filter((method) => /^eth_get(?:Block|Transaction(?!Count))/.test(method));
  expect(asked.toSorted()).toEqual([
    'eth_getBlockByHash',
    'eth_getBlockByNumber',
    'eth_getBlockReceipts',
    'eth_getTransactionByHash',
  ]);
});

it('a second start asks nothing, also offline, and another transaction of the block is told to be missing', async () => {
  const { one, hashes } = await withBlock();
  const cache = { forkCache: await folder() };
  const options = { ...cache, forkTransactionHash: hashes[2]!, forkChainId: 31_337 };
  const first = await forkOf(one, options);
  expect(await tokens(first, one.token)).toBe(3);
  const offline = await forkOf(one, { ...options, forkOffline: true });
  expect(await tokens(offline, one.token)).toBe(3);
  await expect(
    forkOf(one, { ...options, forkOffline: true, forkTransactionHash: hashes[1]! }),
  ).rejects.toThrow(`no block that is forked before transaction ${hashes[1]}`);
});

it('a data directory goes on before the transaction of its start, and refuses another one', async () => {
  const { one, hashes } = await withBlock();
  const dataDir = join(await folder(), 'data');
  const first = await forkOf(one, { dataDir, forkTransactionHash: hashes[2]! });
  await first.send({ to: one.token, data: encode('transfer', SINK, 100n) });
  await first.node.close();
  const second = await forkOf(one, { dataDir });
  expect(await tokens(second, one.token)).toBe(103);
  await second.node.close();
  await expect(forkOf(one, { dataDir, forkTransactionHash: hashes[1]! })).rejects.toThrow(
    /was not forked before transaction/,
  );
});

it('a recording is replayed without the other chain to the same hashes', async () => {
  const { one, hashes } = await withBlock();
  const record = join(await folder(), 'before.jsonl');
  const fork = await forkOf(one, { record, forkTransactionHash: hashes[3]! });
  await fork.send({ to: one.token, data: encode('transfer', SINK, 100n) });
  expect(await tokens(fork, one.token)).toBe(107);
  const { hash } = await fork.block('latest');
  await fork.node.close();
  await one.node.close();
  expect(await replayRecording(record)).toMatchObject({ pass: true, lastblockhash: hash });
});

it('there are no proofs of accounts that the transactions before it have changed', async () => {
  const { one, hashes } = await withBlock();
  const fork = await forkOf(one, { forkTransactionHash: hashes[2]! });
  for (const account of [one.token, one.accounts[0]])
    for (const tag of ['latest', '0x3'])
      await expect(fork.call('eth_getProof', account, [], tag)).rejects.toMatchObject({ code: -32000 });
  for (const account of [one.accounts[1], SINK])
    expect(await fork.call('eth_getProof', account, [], 'latest')).toEqual(
      await one.call('eth_getProof', account, [], '0x3'),
    );
  expect(await fork.call('eth_getProof', one.token, [], '0x2')).toEqual(
    await one.call('eth_getProof', one.token, [], '0x2'),
  );
});

it('anvil_reset forks elsewhere without it', async () => {
  const { one, hashes } = await withBlock();
  const fork = await forkOf(one, { forkTransactionHash: hashes[2]! });
  await fork.send({ to: one.token, data: encode('transfer', SINK, 100n) });
  await fork.call('anvil_reset', { forking: { jsonRpcUrl: one.url, blockNumber: 4 } });
  expect(await tokens(fork, one.token)).toBe(31);
});

it('deposits of a chain of the OP Stack are executed, too', async () => {
  const rollup = { optimism: true, hardfork: 'jovian' } as DevnetOptions;
  const { one, hashes } = await withBlock(rollup);
  const fork = await forkOf(one, { ...rollup, forkTransactionHash: hashes[2]! });
  expect(await tokens(fork, one.token)).toBe(3);
  // The deposit of L1 attributes is the first transaction of block 4.
  const { transactions } = await one.block('0x4');
  expect(transactions).toHaveLength(6);
  const number = { to: '0x4200000000000000000000000000000000000015', data: '0x8381f58a' };
  expect(await fork.call('eth_call', number, 'latest')).toBe(await one.call('eth_call', number, '0x4'));
});

it('impersonated senders of a local node are taken', async () => {
  const one = await original();
  await one.call('anvil_setBalance', SINK, '0xde0b6b3a7640000');
  await one.call('anvil_impersonateAccount', SINK);
  await one.call('evm_mine');
  await one.call('evm_setAutomine', false);
  const to = one.accounts[1];
  await one.call('eth_sendTransaction', { from: SINK, to, value: '0x5', gas: '0x5208' });
  const last = await one.send({ to, value: '0x6', maxPriorityFeePerGas: '0x1' });
  await one.call('evm_mine');
  const fork = await forkOf(one, { forkTransactionHash: last });
  expect(await fork.call('eth_getTransactionCount', SINK, 'latest')).toBe('0x1');
});

describe('what can not be right is refused', () => {
  const start = async (one: { url: string }, options: DevnetOptions): Promise<Wire> =>
    forkOf(one, options).catch((error: unknown) => error);

  it('a transaction that comes to something else here than in its receipt', async () => {
    const { one, hashes } = await withBlock();
    const proxy = await proxyOf(one.url);
    proxy.state.change = (method, result) =>
      method === 'eth_getBlockReceipts'
        ? result.map((it: Wire, i: number) => (i === 1 ? { ...it, gasUsed: '0x7' } : it))
        : result;
    const error = await start(proxy, { forkTransactionHash: hashes[3]! });
    expect(error.message).toMatch(
      new RegExp(
        `transaction 1 of block 4 \\(${hashes[1]}\\) comes to something else here: expected gasUsed 7 as in its receipt, got \\d+`,
      ),
    );
  });

  it('a transaction that is unknown or waits', async () => {
    const { one } = await withBlock();
    const waiting = await one.send({ to: SINK });
    for (const forkTransactionHash of [`0x${'12'.repeat(32)}`, waiting])
      expect(await start(one, { forkTransactionHash })).toMatchObject({
        code: -32602,
        message: expect.stringContaining(`no block with transaction ${forkTransactionHash}`),
      });
  });

  it.each([
    [{ forkUrl: 'http://h', forkTransactionHash: '0x12' }, 'forkTransactionHash'],
    [
      { forkUrl: 'http://h', forkTransactionHash: `0x${'1'.repeat(64)}`, forkBlockNumber: 5 },
      'forkBlockNumber',
    ],
    [{ forkUrl: 'http://h@5', forkTransactionHash: `0x${'1'.repeat(64)}` }, 'forkTransactionHash'],
    [{ forkTransactionHash: `0x${'1'.repeat(64)}` }, 'forkUrl'],
  ])('%j', (options, name) => {
    expect(() => resolveOptions(options as DevnetOptions)).toThrow(name);
  });
});

it('the first transaction of a block is forked before with nothing to execute', async () => {
  const one = await chain({ timestamp: 1_700_000_000 });
  const hash = await one.send({ to: SINK, value: '0x9' });
  const fork = await forkOf(one, { forkTransactionHash: hash });
  expect([await fork.call('eth_blockNumber'), await fork.call('eth_getBalance', SINK, 'latest')]).toEqual([
    '0x0',
    '0x0',
  ]);
});
