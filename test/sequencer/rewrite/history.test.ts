import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createNode, type Node } from '../../../src/boot/node.ts';
import type { BlockView } from '../../../src/chain/block.ts';
import type { ManualClock } from '../../../src/clock.ts';
import { resolveOptions } from '../../../src/options/options.ts';
import { turns } from '../../../src/turns.ts';
import { removeDirectoriesAfterEachTest, scratch } from '../../chain/store/directories.ts';
import { type Call, callsOf } from '../../wire.ts';
import { withLogs } from '../start-chain.ts';

removeDirectoriesAfterEachTest();

let node: Node;
beforeEach(async () => {
  const options = { blockTime: 2, flashblockInterval: 200, manualClock: true, timestamp: 1_700_000_000 };
  node = await createNode(resolveOptions(options), { version: 'test', onFatal: () => {} });
});
afterEach(() => node.close());
const rpc: Call = (...call) => callsOf(node)(...call);
const pass = (ms: number) => (node.clock as ManualClock).advance(ms);

/** Sends a transaction that leaves one log. */
async function log(): Promise<void> {
  const logger = '0x0000000000000000000000000000000000001090';
  await rpc('anvil_setCode', logger, '0x60006000a000');
  await rpc('eth_sendTransaction', { from: node.accounts[0]!.address.toString(), to: logger });
}

describe('the feed', () => {
  it.each([
    ['a revert', (id: unknown) => rpc('evm_revert', id)],
    ['a rollback', () => rpc('anvil_rollback', 3)],
    ['a reset', () => rpc('anvil_reset')],
  ])(
    'of %s tells the blocks with logs that were taken back, newest first, then the open block at index 0',
    async (_, goBack) => {
      const id = await rpc('evm_snapshot');
      await log();
      await pass(4000);
      await log();
      await pass(2000);
      const sealed = [1n, 3n].map((number) => node.chain.hashOf(number));
      const told: unknown[] = [];
      node.feed.on('removed', (blocks) => told.push(withLogs(blocks).map(({ hash }) => hash)));
      node.feed.on('flashblock', ({ index, block }) => told.push([index, block.header.number]));
      await goBack(id);
      expect(told).toEqual([sealed.reverse(), [0, 1n]]);
    },
  );

  it('a revert over many blocks with a listener lets others run while it looks for logs', async () => {
    const id = await rpc('evm_snapshot');
    await log();
    await pass(2000);
    await rpc('anvil_mine', '0x800');
    const sealed = node.chain.hashOf(1n);
    const told: unknown[] = [];
    node.feed.on('removed', (blocks) => told.push(...withLogs(blocks).map(({ hash }) => hash)));
    // As on a machine so slow that each step of background work takes a whole stretch.
    const due = vi.spyOn(turns, 'due', 'get').mockReturnValue(true);
    let reverted = false;
    const going = rpc('evm_revert', id).then(() => {
      reverted = true;
    });
    let loops = 0;
    for (; !reverted; loops++) await setImmediate();
    await going;
    due.mockRestore();
    expect(told).toEqual([sealed]);
    expect(loops).toBeGreaterThan(0x800);
  });

  it('of a revert has another payload for the block that is opened again, with its transactions at index 1', async () => {
    const [account] = node.accounts;
    await rpc('eth_sendTransaction', { from: account!.address.toString(), to: account!.address.toString() });
    await pass(200);
    const id = await rpc('evm_snapshot');
    const told: [bigint, number, number][] = [];
    node.feed.on('flashblock', ({ payload, index, transactions }) =>
      told.push([payload, index, transactions.length]),
    );
    await pass(200);
    await rpc('evm_revert', id);
    expect(told.map(([, index, count]) => [index, count])).toEqual([
      [2, 0],
      [0, 0],
      [1, 1],
    ]);
    expect(told[1]![0]).toBeGreaterThan(told[0]![0]);
  });
});

describe('a reader', () => {
  it('sees the old head or the new one while a revert goes on, and a pending block on it', async () => {
    const id = await rpc('evm_snapshot');
    await pass(4000);
    const seen: bigint[][] = [];
    let going = true;
    const watch = (async () => {
      while (going) {
        const pending = await node.chain.resolve({ tag: 'pending' });
        seen.push([node.chain.latest.header.number, pending!.header.number]);
        await setImmediate();
      }
    })();
    await rpc('evm_revert', id);
    going = false;
    await watch;
    for (const [latest, pending] of seen)
      expect([
        [2n, 3n],
        [0n, 1n],
      ]).toContainEqual([latest, pending]);
  });
});

describe('a restart', () => {
  it('finds the chain where a revert left it, and no snapshots', async () => {
    const dataDir = join(scratch(), 'chain');
    const start = () =>
      createNode(resolveOptions({ dataDir, automine: true }), { version: 'test', onFatal: () => {} });
    let stored = await start();
    const ask: Call = (...call) => callsOf(stored)(...call);
    const account = '0x00000000000000000000000000000000000a11ce';
    await ask('evm_mine');
    await ask('anvil_setBalance', account, '0x7');
    const id = await ask('evm_snapshot');
    await ask('anvil_setBalance', account, '0x8');
    await ask('anvil_mine', 3);
    await ask('evm_revert', id);
    await stored.close();
    stored = await start();
    expect(await ask('eth_blockNumber')).toBe('0x1');
    expect(await ask('eth_getBalance', account, 'latest')).toBe('0x7');
    expect(await ask('evm_revert', id)).toBe(false);
    await stored.close();
  });
});

describe.each(['devnet_reorg', 'anvil_reorg'])('%s', (reorg) => {
  it('makes other blocks of the same times, and the open block goes on at index 0 in its slot', async () => {
    await pass(4200);
    const before = [1n, 2n].map((number) => node.chain.hashOf(number));
    const times = before.map((hash) => (node.chain.resolve({ hash: hash! }) as BlockView).header.timestamp);
    const due = node.sequencer.sealDue;
    const told: unknown[] = [];
    node.feed.on('flashblock', ({ index, block }) => told.push([index, block.header.number]));
    await rpc(reorg, 2);
    const after = [1n, 2n].map((number) => node.chain.resolve({ number }) as BlockView);
    expect(after.map(({ header }) => header.timestamp)).toEqual(times);
    for (const [i, { hash }] of after.entries()) expect(hash).not.toEqual(before[i]);
    expect(told).toEqual([[0, 3n]]);
    expect(node.sequencer.sealDue).toBe(due);
    await pass(1800);
    expect(node.chain.latest.header.parentHash).toEqual(after[1]!.hash);
  });

  it('takes the snapshots with it that stand on the blocks it replaces', async () => {
    const kept = await rpc('evm_snapshot');
    await pass(4000);
    const lost = await rpc('evm_snapshot');
    const [, reverted] = await Promise.all([rpc(reorg, 1), rpc('evm_revert', lost)]);
    expect(reverted).toBe(false);
    expect(await rpc('evm_revert', kept)).toBe(true);
  });
});

describe('anvil_reorg', () => {
  it('changes nothing when a transaction can not be decoded', async () => {
    await pass(4000);
    const { latest } = node.chain;
    await expect(rpc('anvil_reorg', 2, [['0x02', 1]])).rejects.toMatchObject({ code: -32602 });
    expect(node.chain.latest).toBe(latest);
  });

  const stranger = '0x00000000000000000000000000000000000a11ce';
  it.each([
    ['be made', { from: stranger }, -32602],
    ['stand in its block', { nonce: '0x7', gas: '0x5208' }, -32000],
  ])('changes nothing when a transaction can not %s, one of a later block too', async (_, bad, code) => {
    const from = node.accounts[0]!.address.toString();
    await rpc('eth_sendTransaction', { from, to: stranger, value: '0x1' });
    await pass(4000);
    await rpc('eth_sendTransaction', { from, to: stranger, value: '0x1' });
    await pass(200);
    const snapshot = await rpc('evm_snapshot');
    const { latest } = node.chain;
    const pending = await node.chain.resolve({ tag: 'pending' });
    const good = { from, to: stranger, value: '0x2' };
    const pairs = [
      [good, 0],
      [{ from, ...bad }, 1],
    ];
    await expect(rpc('anvil_reorg', 2, pairs)).rejects.toMatchObject({ code });
    expect(node.chain.latest).toBe(latest);
    expect(await node.chain.resolve({ tag: 'pending' })).toBe(pending);
    await pass(1800);
    expect(node.chain.latest.header.number).toBe(3n);
    expect(node.chain.latest.transactions).toHaveLength(1);
    expect(await rpc('evm_revert', snapshot)).toBe(true);
  });

  it('makes each transaction for the block that it goes into: nonce, gas and fees', async () => {
    const from = node.accounts[0]!.address.toString();
    await rpc('anvil_setCode', stranger, '0x4360005500');
    await rpc('eth_sendTransaction', { from, to: stranger, gas: '0x30000' });
    await pass(6000);
    await rpc('eth_sendTransaction', { from, to: stranger, gas: '0x30000' });
    const call = { from, to: stranger };
    await rpc('anvil_reorg', 2, [
      [call, 1],
      [call, 0],
      [call, 1],
    ]);
    const sealed = [2n, 3n].map((number) => node.chain.resolve({ number }) as BlockView);
    expect(sealed.map(({ transactions }) => transactions.map(({ tx }) => tx.nonce))).toEqual([
      [1n],
      [2n, 3n],
    ]);
    expect(sealed.flatMap(({ receipts }) => receipts.map(({ status }) => status))).toEqual([
      true,
      true,
      true,
    ]);
    expect(await rpc('eth_getStorageAt', stranger, '0x0', 'latest')).toMatch(/3$/);
  });
});
