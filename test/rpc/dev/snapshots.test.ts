import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ALICE, MODES, startNode, type TestNode } from './node.ts';

describe.each(Object.entries(MODES))('a snapshot in %s mode', (_, options) => {
  let node: TestNode;
  beforeEach(async () => {
    node = await startNode(options);
  });
  afterEach(() => node.close());

  it('has increasing hex ids from 0x1', async () => {
    expect(await node.rpc('evm_snapshot')).toBe('0x1');
    expect(await node.rpc('anvil_snapshot')).toBe('0x2');
  });

  it('is reverted to once, and takes the later ones with it', async () => {
    const first = await node.rpc('evm_snapshot');
    const second = await node.rpc('evm_snapshot');
    expect(await node.rpc('evm_revert', first)).toBe(true);
    expect(await node.rpc('evm_revert', first)).toBe(false);
    expect(await node.rpc('anvil_revert', second)).toBe(false);
    expect(await node.rpc('evm_snapshot')).toBe('0x3');
  });

  it('brings blocks, state and nonces back', async () => {
    await node.transfer();
    await node.rpc('evm_mine');
    const head = await node.block();
    const id = await node.rpc('evm_snapshot');
    await node.transfer('0x5');
    const hash = await node.transfer('0x6');
    await node.rpc('evm_mine');
    const lost = await node.block();
    expect(await node.rpc('evm_revert', id)).toBe(true);
    expect(await node.block()).toEqual(head);
    expect(await node.balance(ALICE)).toBe(1n);
    expect(await node.balance(ALICE, 'pending')).toBe(1n);
    expect(await node.rpc('eth_getTransactionReceipt', hash)).toBeNull();
    expect(await node.rpc('eth_getBlockByHash', lost.hash, false)).toBeNull();
    expect(await node.rpc('eth_getBlockByNumber', lost.number, false)).toBeNull();
    expect(await node.rpc('eth_getTransactionCount', node.accounts[0], 'pending')).toBe('0x1');
  });

  it('brings settings of the next block back', async () => {
    await node.rpc('anvil_setNextBlockBaseFeePerGas', '0x77');
    const id = await node.rpc('evm_snapshot');
    await node.rpc('evm_mine');
    await node.rpc('anvil_setCoinbase', ALICE);
    await node.rpc('evm_increaseTime', 1000);
    const pending = await node.rpc('evm_revert', id).then(() => node.block('pending'));
    expect(pending.baseFeePerGas).toBe('0x77');
    expect(pending.miner).not.toBe(ALICE);
    await node.rpc('evm_mine');
    expect((await node.block()).baseFeePerGas).toBe('0x77');
  });

  it('brings chain time back to where it was', async () => {
    const id = await node.rpc('evm_snapshot');
    const { timestamp } = await node.block('pending');
    await node.rpc('evm_increaseTime', 5000);
    await node.rpc('evm_mine');
    await node.clock.advance(1000);
    await node.rpc('evm_revert', id);
    expect((await node.block('pending')).timestamp).toBe(timestamp);
  });
});

describe('in interval mode', () => {
  let node: TestNode;
  beforeEach(async () => {
    node = await startNode(MODES.interval);
  });
  afterEach(() => node.close());

  it('what was pre-confirmed at the snapshot is pre-confirmed again, in the same block', async () => {
    await node.transfer('0x1');
    await node.tick();
    const hash = await node.transfer('0x2');
    await node.tick();
    const before = await node.block('pending');
    const id = await node.rpc('evm_snapshot');
    await node.transfer('0x3');
    await node.tick();
    await node.rpc('evm_mine');
    await node.rpc('evm_revert', id);
    expect(await node.block('pending')).toEqual(before);
    expect((await node.rpc('eth_getTransactionReceipt', hash)).blockHash).toBe(before.hash);
    expect(await node.balance(ALICE, 'pending')).toBe(3n);
    await node.clock.advance(2000);
    expect((await node.block()).hash).toBe(before.hash);
  });

  it('what waited at the snapshot waits again', async () => {
    const id = await node.transfer().then(() => node.rpc('evm_snapshot'));
    await node.tick();
    await node.rpc('evm_mine');
    await node.rpc('evm_revert', id);
    expect((await node.block('pending')).transactions).toEqual([]);
    await node.tick();
    expect(await node.balance(ALICE, 'pending')).toBe(1n);
  });

  it('a snapshot of another mode gives its pre-confirmed transactions back to the mempool', async () => {
    await node.transfer();
    await node.tick();
    const id = await node.rpc('evm_snapshot');
    await node.rpc('evm_setIntervalMining', 0);
    await node.rpc('evm_revert', id);
    expect(await node.number()).toBe(0);
    await node.rpc('evm_mine');
    expect(await node.balance(ALICE)).toBe(1n);
  });

  it('blocks go on at their times after a revert', async () => {
    const id = await node.rpc('evm_snapshot');
    await node.clock.advance(6000);
    expect(await node.number()).toBe(3);
    await node.rpc('evm_revert', id);
    expect(await node.number()).toBe(0);
    await node.clock.advance(2000);
    expect(await node.number()).toBe(1);
  });
});

describe('going back without a snapshot', () => {
  let node: TestNode;
  beforeEach(async () => {
    node = await startNode();
    for (let i = 0; i < 5; i++) await node.transfer();
  });
  afterEach(() => node.close());

  it('anvil_rollback takes blocks back, one unless told', async () => {
    await node.rpc('anvil_rollback', 2);
    expect(await node.number()).toBe(3);
    await node.rpc('anvil_rollback');
    expect(await node.number()).toBe(2);
    expect(await node.balance(ALICE)).toBe(2n);
    expect(await node.codeOf('anvil_rollback', 3)).toBe(-32602);
  });

  it('a snapshot that stands on a block which was taken back is gone', async () => {
    const id = await node.rpc('evm_snapshot');
    await node.rpc('anvil_rollback', 1);
    await node.transfer('0x9');
    expect(await node.rpc('evm_revert', id)).toBe(false);
  });

  it('anvil_reorg puts as many other blocks there, with the transactions given', async () => {
    const before = await node.block();
    const request = { from: node.accounts[1], to: ALICE, value: '0x64' };
    await node.rpc('anvil_reorg', 3, [
      [request, 0],
      [request, 0],
      [request, 2],
    ]);
    expect(await node.number()).toBe(5);
    expect((await node.block()).hash).not.toBe(before.hash);
    expect((await node.block('0x3')).transactions).toHaveLength(2);
    expect((await node.block('0x5')).transactions).toHaveLength(1);
    expect(await node.balance(ALICE)).toBe(302n);
    expect(await node.codeOf('anvil_reorg', 2, [[request, 2]])).toBe(-32602);
  });

  it('anvil_reset goes back to the genesis block, and is another instance', async () => {
    const { instanceId } = await node.rpc('hardhat_metadata');
    await node.rpc('anvil_setBalance', ALICE, '0x1');
    await node.rpc('hardhat_reset');
    expect(await node.number()).toBe(0);
    expect(await node.balance(ALICE)).toBe(0n);
    expect((await node.rpc('hardhat_metadata')).instanceId).not.toBe(instanceId);
    expect(await node.codeOf('anvil_reset', { forking: { jsonRpcUrl: 'localhost' } })).toBe(-32602);
  });
});
