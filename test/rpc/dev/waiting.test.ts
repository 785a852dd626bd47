import { afterEach, describe, expect, it } from 'vitest';
import type { DevnetOptions } from '../../../src/index.ts';
import { ALICE, MODES, startNode, type TestNode } from './node.ts';

let node: TestNode;
afterEach(() => node.close());

const GWEI = 10n ** 9n;

/** Sends a transfer of a dev account. @returns its hash */
function send(account: number, { tip = 1n, nonce }: { tip?: bigint; nonce?: number } = {}): Promise<string> {
  return node.transfer('0x1', {
    from: node.accounts[account],
    maxFeePerGas: `0x${(tip * 100n * GWEI).toString(16)}`,
    maxPriorityFeePerGas: `0x${(tip * GWEI).toString(16)}`,
    ...(nonce !== undefined && { nonce: `0x${nonce.toString(16)}` }),
  });
}

/** The transactions of each block after genesis, as their hashes. */
async function blocks(): Promise<string[][]> {
  const head = await node.number();
  const all = Array.from({ length: head }, (_, i) => node.block(`0x${(i + 1).toString(16)}`));
  return (await Promise.all(all)).map(({ transactions }) => transactions);
}

const ANVIL: [string, DevnetOptions][] = [
  ['by default', MODES.automine],
  ['as anvil', { compat: 'anvil' }],
  ['on EthereumJS', { automine: true, engine: 'ethereumjs' }],
];
const HARDHAT: [string, DevnetOptions][] = [
  ['as Hardhat 3', { compat: 'hardhat' }],
  ['as Hardhat 2', { compat: 'hardhat2' }],
];
const NAMES = ['evm_setAutomine', 'anvil_setAutomine', 'hardhat_setAutomine'];

// anvil 1.7.1, Hardhat 3 and Hardhat 2 were asked for each of these.
describe.each(ANVIL)('transactions that wait when automine is switched on %s', (_, options) => {
  it.each(NAMES)(
    'are sealed at once in one block by %s, and the next one in its own',
    async (setAutomine) => {
      node = await startNode(options);
      await node.rpc(setAutomine, false);
      const waiting = [await send(0), await send(0), await send(0)];
      await node.rpc(setAutomine, true);
      expect(await blocks()).toEqual([waiting]);
      const fourth = await send(0);
      expect(await blocks()).toEqual([waiting, [fourth]]);
    },
  );

  it('are ordered by fee', async () => {
    node = await startNode(options);
    await node.rpc('evm_setAutomine', false);
    const [low, high] = [await send(0, { tip: 1n }), await send(1, { tip: 9n })];
    await node.rpc('evm_setAutomine', true);
    expect(await blocks()).toEqual([[high, low]]);
  });

  it('leave no empty block where nothing waits, or only what lacks a nonce before it', async () => {
    node = await startNode(options);
    await node.rpc('evm_setAutomine', false);
    await send(0, { nonce: 1 });
    await node.rpc('evm_setAutomine', true);
    expect(await node.number()).toBe(0);
    const other = await send(1);
    expect(await blocks()).toEqual([[other]]);
  });

  it('a filled gap brings what waited behind it into the same block', async () => {
    node = await startNode(options);
    const second = await send(0, { nonce: 1 });
    expect(await node.number()).toBe(0);
    const first = await send(0, { nonce: 0 });
    expect(await blocks()).toEqual([[first, second]]);
  });
});

describe.each(HARDHAT)('transactions that wait when automine is switched on %s', (_, options) => {
  it.each(NAMES)('are sealed with the next one, in its block, by %s', async (setAutomine) => {
    node = await startNode(options);
    await node.rpc(setAutomine, false);
    const waiting = [await send(0), await send(0), await send(0)];
    await node.rpc(setAutomine, true);
    expect(await node.number()).toBe(0);
    const fourth = await send(0);
    expect(await blocks()).toEqual([[...waiting, fourth]]);
  });

  it('are ordered by fee with it', async () => {
    node = await startNode(options);
    await node.rpc('evm_setAutomine', false);
    const waiting = [await send(0), await send(0)];
    await node.rpc('evm_setAutomine', true);
    const better = await send(1, { tip: 9n });
    expect(await blocks()).toEqual([[better, ...waiting]]);
    await node.rpc('evm_setAutomine', false);
    const first = await send(0, { tip: 9n });
    await node.rpc('evm_setAutomine', true);
    const last = await send(1);
    expect((await blocks())[1]).toEqual([first, last]);
  });

  it('and do not fit into one block are sealed in as many as they take', async () => {
    node = await startNode(options);
    // Takes all gas that it gets.
    await node.rpc('hardhat_setCode', ALICE, '0x5b600056');
    await node.rpc('evm_setBlockGasLimit', '0xf4240');
    await node.rpc('evm_setAutomine', false);
    const burning = { to: ALICE, gas: '0x61a80', maxPriorityFeePerGas: '0x9' };
    const waiting = [];
    for (let i = 0; i < 5; i++) waiting.push(await node.transfer('0x0', burning));
    await node.rpc('evm_setAutomine', true);
    const other = { to: node.accounts[2], gas: '0x61a80', maxPriorityFeePerGas: '0x1' };
    const sent = await node.transfer('0x1', { ...other, from: node.accounts[1] });
    expect(await blocks()).toEqual([waiting.slice(0, 2), waiting.slice(2, 4), [waiting[4], sent]]);
  });

  it('what lacks the nonce before it waits until that comes', async () => {
    node = await startNode(options);
    await node.rpc('evm_setAutomine', false);
    const second = await send(1, { nonce: 1 });
    await node.rpc('evm_setAutomine', true);
    const other = await send(0);
    const first = await send(1, { nonce: 0 });
    expect(await blocks()).toEqual([[other], [first, second]]);
  });
});

describe('in mixed mode', () => {
  it.each([0, 200])(
    'a send seals what waits in its block, flashblocks each %i ms',
    async (flashblockInterval) => {
      node = await startNode({ mixedMining: true, blockTime: 2, flashblockInterval });
      const second = await send(0, { nonce: 1 });
      const first = await send(0, { nonce: 0 });
      expect(await blocks()).toEqual([[first, second]]);
    },
  );
});

describe('interval mining as Hardhat', () => {
  const INTERVAL: [string, DevnetOptions, unknown[]][] = [
    ['Hardhat 3 with --block-time 6', { compat: 'hardhat', blockTime: 6 }, []],
    ['Hardhat 2 with --block-time 6', { compat: 'hardhat2', blockTime: 6 }, []],
    ['Hardhat 3 with evm_setIntervalMining', { compat: 'hardhat' }, [6000]],
    ['Hardhat 2 with evm_setIntervalMining', { compat: 'hardhat2' }, [6000]],
  ];

  it.each(INTERVAL)('%s keeps a transaction in the pool until its block', async (_, options, interval) => {
    node = await startNode(options);
    if (interval.length > 0) {
      await node.rpc('evm_setAutomine', false);
      await node.rpc('evm_setIntervalMining', ...interval);
    }
    const dropped = await send(0);
    await node.clock.advance(1000);
    expect(await node.rpc('eth_getTransactionReceipt', dropped)).toBeNull();
    expect((await node.rpc('eth_getBlockByNumber', 'pending', false)).transactions).toEqual([dropped]);
    expect(await node.rpc('hardhat_dropTransaction', dropped)).toBe(true);
    await send(0, { tip: 1n });
    const replacing = await send(0, { tip: 2n, nonce: 0 });
    await node.clock.advance(4999);
    expect(await node.number()).toBe(0);
    await node.clock.advance(1);
    expect(await blocks()).toEqual([[replacing]]);
  });

  it('has partial blocks where they were asked for', async () => {
    node = await startNode({ compat: 'hardhat', blockTime: 6, flashblockInterval: 200 });
    const sent = await send(0);
    await node.tick();
    expect(await node.rpc('eth_getTransactionReceipt', sent)).toMatchObject({ status: '0x1' });
    expect(await node.number()).toBe(0);
  });

  it('has them after evm_setIntervalMining too, where they were asked for', async () => {
    node = await startNode({ compat: 'hardhat', blockTime: 6, flashblockInterval: 200 });
    await node.rpc('evm_setIntervalMining', 4000);
    const sent = await send(0);
    await node.tick();
    expect(await node.rpc('eth_getTransactionReceipt', sent)).toMatchObject({ status: '0x1' });
  });

  it('is as on devnet by default: a transaction is pre-confirmed', async () => {
    node = await startNode();
    await node.rpc('evm_setIntervalMining', 6);
    const sent = await send(0);
    await node.tick();
    expect(await node.rpc('eth_getTransactionReceipt', sent)).toMatchObject({ status: '0x1' });
  });
});
