import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTestClient, custom, publicActions } from 'viem';
import { foundry } from 'viem/chains';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createDevnet, type Devnet, type DevnetOptions } from '../../src/index.ts';
import { type Call, callsOf, codeOf } from '../wire.ts';
import { ALICE, BOB, makeVaried, readAll } from './varied-chain.ts';

const UNKNOWN_STATE = -32000;

let dir: string;
const nodes: Devnet[] = [];
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'devnet-dump-'));
});
afterEach(async () => {
  for (const node of nodes.splice(0)) await node.close();
  rmSync(dir, { recursive: true });
});

async function start(options: DevnetOptions = {}): Promise<{ rpc: Call; close: () => Promise<void> }> {
  const node = await createDevnet({ automine: true, manualClock: true, ...options });
  nodes.push(node);
  return { rpc: callsOf(node), close: () => node.close() };
}

const GENESIS = { timestamp: 1_700_000_000 };

/** A chain with all sorts of transactions, as a file, and what could be read of it. */
async function dumped(options: DevnetOptions = {}, states: number | string = 'latest') {
  const dumpState = join(dir, 'state.json');
  const { rpc, close } = await start({ ...GENESIS, dumpState, ...options });
  const contract = await makeVaried(rpc);
  const read = await readAll(rpc, contract, states);
  await close();
  return { file: dumpState, contract, read };
}

describe('a chain that was dumped and loaded', () => {
  it('reads as before: blocks, transactions, receipts, logs, and the newest state', async () => {
    const { file, contract, read } = await dumped();
    const { rpc } = await start({ loadState: file });
    expect(await readAll(rpc, contract)).toEqual(read);
  });

  it('dumps to the same bytes again, and so does the same chain made anew', async () => {
    const { file } = await dumped();
    const bytes = readFileSync(file);
    const again = join(dir, 'again.json');
    await (await start({ loadState: file, dumpState: again })).close();
    expect(readFileSync(again).equals(bytes)).toBe(true);
    expect(readFileSync((await dumped()).file).equals(bytes)).toBe(true);
  });

  it('does not know old states, unless they were written: then all', async () => {
    const { file, contract, read } = await dumped({ preserveHistoricalStates: true }, 0);
    expect(read.blocks.length).toBeGreaterThan(10);
    const { rpc } = await start({ loadState: file });
    expect(await readAll(rpc, contract, 0)).toEqual(read);
    const poor = await dumped();
    const { rpc: other } = await start({ loadState: poor.file });
    for (const number of ['0x1', '0x6'])
      expect(await codeOf(other('eth_getBalance', ALICE, number))).toBe(UNKNOWN_STATE);
    const { hash } = await other('eth_getBlockByNumber', '0x6', false);
    expect(await codeOf(other('eth_getBalance', ALICE, { blockHash: hash }))).toBe(UNKNOWN_STATE);
    const [from] = await other('eth_accounts');
    expect(await other('eth_getBalance', from, '0x0')).toBe('0x21e19e0c9bab2400000');
  });

  it('keeps all states through several files', async () => {
    const history = { preserveHistoricalStates: true };
    const { file, contract } = await dumped(history);
    const second = join(dir, 'second.json');
    const { rpc, close } = await start({ loadState: file, dumpState: second, ...history });
    await rpc('anvil_mine', '0x2');
    const read = await readAll(rpc, contract, 0);
    await close();
    const { rpc: last } = await start({ loadState: second });
    expect(await readAll(last, contract, 0)).toEqual(read);
  });

  it('goes on from its newest block, in its time, and keeps what comes in the next file', async () => {
    const { file, contract, read } = await dumped();
    const { rpc, close } = await start({ state: file });
    const [from] = await rpc('eth_accounts');
    const hash = await rpc('eth_sendTransaction', { from, to: contract });
    const { parentHash, timestamp } = await rpc('eth_getBlockByNumber', 'latest', false);
    const newest = read.blocks.at(-1)!.block;
    expect(parentHash).toBe(newest.hash);
    expect(Number(timestamp)).toBe(Number(newest.timestamp) + 1);
    expect(await rpc('eth_getTransactionReceipt', hash)).toMatchObject({ status: '0x1' });
    // The state after the first block of this run is known; what it stands on was a dev write.
    expect(await rpc('eth_getBalance', BOB, newest.number)).toBe('0x77');
    const all = await readAll(rpc, contract);
    await close();
    const { rpc: last } = await start({ state: file });
    expect(await readAll(last, contract)).toEqual(all);
  });

  it('goes back no further than its states are known; a reset goes back to the genesis block', async () => {
    const { file, read } = await dumped();
    const { rpc } = await start({ loadState: file });
    const newest = Number(await rpc('eth_blockNumber'));
    expect(await codeOf(rpc('anvil_rollback', 1))).toBe(-32602);
    expect(await codeOf(rpc('anvil_reorg', 1, []))).toBe(-32602);
    const id = await rpc('evm_snapshot');
    await rpc('anvil_mine', '0x3');
    await rpc('anvil_rollback', 2);
    expect(Number(await rpc('eth_blockNumber'))).toBe(newest + 1);
    expect(await rpc('evm_revert', id)).toBe(true);
    expect(Number(await rpc('eth_blockNumber'))).toBe(newest);
    await rpc('anvil_reset');
    expect((await rpc('eth_getBlockByNumber', 'latest', false)).hash).toBe(read.blocks[0]!.block.hash);
    expect(await rpc('eth_getBalance', BOB, 'latest')).toBe('0x0');
    await rpc('anvil_mine', '0x3');
    // Blocks of the same numbers as before, whose states are known.
    expect(await rpc('eth_getBalance', BOB, '0x2')).toBe('0x0');
    await rpc('anvil_rollback', 2);
    expect(await rpc('eth_blockNumber')).toBe('0x1');
  });

  it('is read back by its number where it did not begin with block 0', async () => {
    const { file, contract, read } = await dumped({ number: 1_000 });
    expect(read.blocks[0]!.block.number).toBe('0x3e8');
    const { rpc } = await start({ loadState: file, number: 1_000 });
    expect(await readAll(rpc, contract)).toEqual(read);
  });

  it.each(['homestead', 'byzantium', 'london', 'shanghai', 'cancun'] as const)(
    'of %s has its headers and receipts',
    async (hardfork) => {
      const options: DevnetOptions = { ...GENESIS, hardfork };
      const file = join(dir, 'old.json');
      const { rpc, close } = await start({ ...options, dumpState: file });
      const [from] = await rpc('eth_accounts');
      for (const data of ['0x', '0x600160006000a1'])
        await rpc('eth_sendTransaction', { from, data, gas: '0x186a0', gasPrice: '0x77359400' });
      const read = await readAll(rpc, BOB);
      await close();
      const { rpc: loaded } = await start({ loadState: file, hardfork });
      expect(await readAll(loaded, BOB)).toEqual(read);
      await loaded('evm_mine');
    },
  );

  it('of pruned history begins with the first block that is kept', async () => {
    const file = join(dir, 'pruned.json');
    const { rpc, close } = await start({ ...GENESIS, dumpState: file, pruneHistory: 3 });
    await rpc('anvil_setBalance', BOB, '0x5');
    await rpc('anvil_mine', '0x64');
    const read = await readAll(rpc, BOB);
    expect(read.blocks).toHaveLength(3);
    await close();
    const { rpc: loaded } = await start({ loadState: file });
    expect(await readAll(loaded, BOB)).toEqual(read);
    expect(await loaded('eth_getBlockByNumber', '0x0', false)).toBeNull();
    await loaded('anvil_reset');
    expect(await loaded('eth_blockNumber')).toBe('0x62');
    expect(await loaded('eth_getBalance', BOB, 'latest')).toBe('0x5');
  });

  it('is pruned as any other', async () => {
    const { file, contract } = await dumped({ preserveHistoricalStates: true });
    const { rpc, close } = await start({ loadState: file, pruneHistory: 5, dataDir: join(dir, 'data') });
    await rpc('anvil_mine', '0x100');
    await close();
    const { rpc: again } = await start({ loadState: file, pruneHistory: 5, dataDir: join(dir, 'data') });
    expect(await again('eth_getStorageAt', contract, '0x7', 'latest')).toMatch(/9$/);
    await again('anvil_reset');
    const [from] = await again('eth_accounts');
    expect(await again('eth_getBalance', from, 'latest')).toBe('0x21e19e0c9bab2400000');
  });

  it("goes through viem's dumpState and loadState: a running chain takes the accounts", async () => {
    const client = ({ rpc }: { rpc: Call }) =>
      createTestClient({
        mode: 'anvil',
        chain: foundry,
        transport: custom({ request: ({ method, params = [] }) => rpc(method, ...params) }),
      }).extend(publicActions);
    const one = await start(GENESIS);
    const contract = (await makeVaried(one.rpc)) as `0x${string}`;
    const state = await client(one).dumpState();
    const other = client(await start(GENESIS));
    await other.mine({ blocks: 2 });
    await other.loadState({ state });
    expect(await other.getBlockNumber()).toBe(2n);
    expect(await other.getCode({ address: contract })).toBe(await client(one).getCode({ address: contract }));
    expect(await other.getBalance({ address: BOB })).toBe(0x77n);
  });
});

describe('anvil_dumpState', () => {
  it('takes true for all states', async () => {
    const { rpc } = await start(GENESIS);
    await makeVaried(rpc);
    const [newest, all] = [await rpc('anvil_dumpState'), await rpc('anvil_dumpState', true)];
    expect(all.length).toBeGreaterThan(newest.length);
    expect(await rpc('anvil_dumpState', false)).toBe(newest);
    expect(await codeOf(rpc('anvil_dumpState', 1))).toBe(-32602);
  });
});
