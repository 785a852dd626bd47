import { afterEach, describe, expect, it } from 'vitest';
import { GENESIS_TIME, MODES, startNode, type TestNode } from './node.ts';

let node: TestNode;
afterEach(() => node.close());
const timeOf = async (tag = 'latest') => Number((await node.block(tag)).timestamp) - GENESIS_TIME;

it('time is never set to what a block could not carry, or milliseconds not count', async () => {
  node = await startNode();
  const far = '0xffffffffffffffff';
  const refused = { code: -32602 };
  const before = await node.block();
  await expect(node.rpc('evm_setNextBlockTimestamp', far)).rejects.toMatchObject(refused);
  await expect(node.rpc('evm_mine', far)).rejects.toMatchObject(refused);
  await expect(node.rpc('evm_increaseTime', far)).rejects.toMatchObject(refused);
  await expect(node.rpc('evm_setTime', far)).rejects.toMatchObject(refused);
  await expect(node.rpc('anvil_setBlockTimestampInterval', far)).rejects.toMatchObject(refused);
  await expect(node.rpc('anvil_mine', 3, '0xfffffffffff')).rejects.toMatchObject(refused);
  expect(await node.block()).toEqual(before);
  const latest = 9_007_199_254_740;
  await node.rpc('evm_setNextBlockTimestamp', latest);
  await node.rpc('evm_mine');
  await expect(node.rpc('evm_increaseTime', 1)).rejects.toMatchObject(refused);
  await node.rpc('evm_mine');
  expect(Number((await node.block()).timestamp)).toBeGreaterThan(latest);
});

describe.each(Object.entries(MODES))('time in %s mode', (_, options) => {
  it('evm_increaseTime moves the next block, and answers by how much time was moved in all', async () => {
    node = await startNode(options);
    const before = await timeOf('pending');
    expect(await node.rpc('evm_increaseTime', 100)).toBe(100);
    expect(await node.rpc('anvil_increaseTime', '0x64')).toBe(200);
    // In automine and manual mode the pending block would come a second after its parent at least.
    expect((await timeOf('pending')) - before).toBeGreaterThanOrEqual(199);
    const pending = await timeOf('pending');
    await node.rpc('evm_mine');
    expect(await timeOf()).toBe(pending);
  });

  it("evm_setNextBlockTimestamp is the next block's, and time goes on from it", async () => {
    node = await startNode(options);
    expect(await node.rpc('evm_setNextBlockTimestamp', GENESIS_TIME + 5000)).toBeNull();
    expect(await timeOf('pending')).toBe(5000);
    await node.rpc('evm_mine');
    expect(await timeOf()).toBe(5000);
    await node.rpc('evm_mine');
    expect(await timeOf()).toBeGreaterThan(5000);
    expect(await timeOf()).toBeLessThanOrEqual(5002);
  });

  it("a timestamp that is not after the parent's is -32602", async () => {
    node = await startNode(options);
    await node.rpc('evm_mine', GENESIS_TIME + 10);
    expect(await node.codeOf('anvil_setNextBlockTimestamp', GENESIS_TIME + 10)).toBe(-32602);
    expect(await node.codeOf('evm_mine', GENESIS_TIME + 9)).toBe(-32602);
  });

  it('evm_setTime sets chain time, and answers by how much it moved', async () => {
    node = await startNode(options);
    expect(await node.rpc('evm_setTime', GENESIS_TIME + 700)).toBe(700);
    await node.rpc('evm_mine');
    expect(await timeOf()).toBeGreaterThanOrEqual(700);
    expect(await timeOf()).toBeLessThanOrEqual(702);
  });

  it('with a timestamp interval blocks keep that distance, until it is removed', async () => {
    node = await startNode(options);
    expect(await node.rpc('anvil_setBlockTimestampInterval', 50)).toBeNull();
    await node.rpc('anvil_mine', 3);
    expect(await timeOf()).toBe(150);
    expect(await node.rpc('anvil_removeBlockTimestampInterval')).toBe(true);
    expect(await node.rpc('hardhat_removeBlockTimestampInterval')).toBe(false);
    await node.rpc('evm_mine');
    expect(await timeOf()).toBeLessThan(160);
  });

  it('anvil_mine makes blocks with an interval between them', async () => {
    node = await startNode(options);
    await node.rpc('hardhat_mine', '0x4', '0x3c');
    expect(await node.number()).toBe(4);
    const times = await Promise.all(['0x1', '0x2', '0x3', '0x4'].map(timeOf));
    expect(times).toEqual([60, 120, 180, 240]);
    await node.rpc('anvil_mine');
    expect(await node.number()).toBe(5);
    await node.rpc('anvil_mine', '0x0');
    expect(await node.number()).toBe(5);
  });
});

describe('equal timestamps', () => {
  it('are allowed where the option says so', async () => {
    node = await startNode({ ...MODES.automine, allowEqualTimestamps: true });
    await node.rpc('evm_setNextBlockTimestamp', GENESIS_TIME);
    await node.rpc('evm_mine');
    expect(await timeOf()).toBe(0);
  });
});
