import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { BlockStore } from '../../../src/chain/store/block-store.ts';
import type { DevnetOptions } from '../../../src/options/options.ts';
import { startChain, type TestChain } from '../../sequencer/start-chain.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

type Call = readonly [method: string, ...params: unknown[]];

const address = (i: number) => `0x${(i + 1).toString(16).padStart(4, '0').padStart(40, 'a')}`;
const word = (i: number) => `0x${i.toString(16).padStart(64, '0')}`;
const request = ([method, ...params]: Call, id: number) => ({ jsonrpc: '2.0', id, method, params });

async function answers(chain: TestChain, calls: readonly Call[]): Promise<unknown[]> {
  const body = JSON.stringify(calls.map(request));
  return JSON.parse(String(await chain.node.dispatcher.handleText(body)));
}

async function oneByOne(chain: TestChain, calls: readonly Call[]): Promise<unknown[]> {
  const found: unknown[] = [];
  for (const [i, call] of calls.entries())
    found.push(JSON.parse(String(await chain.node.dispatcher.handleText(JSON.stringify(request(call, i))))));
  return found;
}

/** Many writes, some of the same accounts, and between them reads, what fails, and what isn't a write of state. */
function mixed(): Call[] {
  const calls: Call[] = [];
  for (let i = 0; i < 60; i++) {
    const who = address(i % 17);
    calls.push(['anvil_setBalance', who, word(i * 1_000)]);
    if (i % 2 === 0) calls.push(['hardhat_setNonce', who, `0x${(100 + i).toString(16)}`]);
    if (i % 3 === 0) calls.push(['anvil_setStorageAt', who, word(i % 5), word(i)]);
    if (i % 5 === 0) calls.push(['anvil_setCode', who, `0x60${i.toString(16).padStart(2, '0')}`]);
    if (i % 7 === 0) calls.push(['anvil_setStorageAt', who, word(i % 5), word(0)]);
    if (i % 11 === 0) calls.push(['anvil_setBalance', who, 'not a number']);
    if (i % 13 === 0)
      calls.push(['eth_getBalance', who, 'latest'], ['eth_getProof', who, [word(1)], 'latest']);
    if (i % 17 === 0) calls.push(['anvil_addBalance', who, '0x5']);
    if (i % 19 === 0) calls.push(['evm_snapshot']);
    if (i % 23 === 0) calls.push(['evm_mine']);
    if (i === 50) calls.push(['evm_revert', '0x2']);
  }
  return calls;
}

const MODES: Record<string, DevnetOptions> = {
  automine: { automine: true },
  'no mining': { noMining: true },
  interval: { blockTime: 2, flashblockInterval: 0 },
  flashblocks: { blockTime: 2 },
  ethereumjs: { automine: true, engine: 'ethereumjs' },
};

describe('dev writes in a batch', () => {
  for (const [mode, options] of Object.entries(MODES))
    it(`come to the same as one by one (${mode})`, async () => {
      await using together = await startChain(options);
      await using apart = await startChain(options);
      const calls: Call[] = [...mixed(), ['evm_mine'], ['eth_getBlockByNumber', 'latest', false]];
      expect(await answers(together, calls)).toEqual(await oneByOne(apart, calls));
      const { stateRoot } = await together.block('latest');
      expect(stateRoot).toBe((await apart.block('latest')).stateRoot);
      expect(await together.call('anvil_dumpState')).toEqual(await apart.call('anvil_dumpState'));
    });

  it('are stored before they are answered, and together', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'devnet-batch-'));
    try {
      const stored = vi.spyOn(BlockStore.prototype, 'commitPatch');
      const calls = Array.from(
        { length: 500 },
        (_, i): Call => ['anvil_setBalance', address(i), word(i + 1)],
      );
      {
        await using chain = await startChain({ automine: true, dataDir: folder });
        stored.mockClear();
        const found = await answers(chain, calls);
        expect(found).toEqual(calls.map((_, id) => ({ jsonrpc: '2.0', id, result: null })));
        // As often as a time slice ends, which is far less than once for each.
        expect(stored.mock.calls.length).toBeGreaterThan(0);
        expect(stored.mock.calls.length).toBeLessThan(100);
        expect(await chain.call('eth_getBalance', address(499), 'latest')).toBe('0x1f4');
      }
      await using again = await startChain({ automine: true, dataDir: folder });
      for (const i of [0, 250, 499])
        expect(BigInt(await again.call('eth_getBalance', address(i), 'latest'))).toBe(BigInt(i + 1));
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  it('are all refused where they can not be stored, and none is made', async () => {
    await using chain = await startChain({ automine: true });
    await chain.call('anvil_setBalance', address(0), '0x1');
    vi.spyOn(BlockStore.prototype, 'commitPatch').mockImplementationOnce(() => {
      throw new Error('the disk is full');
    });
    const write: Call = ['anvil_setBalance', address(0), '0x2'];
    const found = (await answers(chain, [write, write])) as { id: number; error: { code: number } }[];
    expect(found.map(({ id, error }) => [id, error.code])).toEqual([
      [0, -32603],
      [1, -32603],
    ]);
    expect(await chain.call('eth_getBalance', address(0), 'latest')).toBe('0x1');
    await answers(chain, [write, write]);
    expect(await chain.call('eth_getBalance', address(0), 'latest')).toBe('0x2');
  });

  it('that have no id are made, and not answered', async () => {
    await using chain = await startChain({ automine: true });
    const silent = { jsonrpc: '2.0', method: 'anvil_setBalance', params: [address(1), '0x7'] };
    const asked = { ...silent, id: 'a', params: [address(2), '0x8'] };
    const body = JSON.stringify([silent, asked, silent]);
    expect(JSON.parse(String(await chain.node.dispatcher.handleText(body)))).toEqual([
      { jsonrpc: '2.0', id: 'a', result: null },
    ]);
    expect(await chain.call('eth_getBalance', address(1), 'latest')).toBe('0x7');
    expect(await chain.call('eth_getBalance', address(2), 'latest')).toBe('0x8');
  });
});
