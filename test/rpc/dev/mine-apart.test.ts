import { afterEach, describe, expect, it } from 'vitest';
import type { DevnetOptions } from '../../../src/index.ts';
import { GENESIS_TIME, MODES, startNode, type TestNode } from './node.ts';

let node: TestNode;
afterEach(() => node.close());

/** Timestamps of all blocks after `from`, in seconds since its own. */
async function timesAfter(from: number): Promise<number[]> {
  const at = async (n: number) => Number((await node.block(`0x${n.toString(16)}`)).timestamp);
  const head = await node.number();
  const times = await Promise.all(Array.from({ length: head - from }, (_, i) => at(from + 1 + i)));
  const start = await at(from);
  return times.map((time) => time - start);
}

const ANVIL: [string, DevnetOptions][] = [
  ['by default', MODES.automine],
  ['on demand', MODES.manual],
  ['in interval mode', MODES.interval],
  ['as anvil', { compat: 'anvil' }],
];
const HARDHAT: [string, DevnetOptions][] = [
  ['Hardhat 3', { compat: 'hardhat' }],
  ['Hardhat 2', { compat: 'hardhat2' }],
];

describe.each(['anvil_mine', 'hardhat_mine'])('%s with a time between blocks', (mine) => {
  it.each(ANVIL)('%s dates the first block that time after now, too', async (_, options) => {
    node = await startNode(options);
    await node.rpc(mine, '0x3', '0x64');
    expect(await timesAfter(0)).toEqual([100, 200, 300]);
    await node.rpc(mine, '0x1', '0x64');
    expect(await timesAfter(3)).toEqual([100]);
  });

  it.each(HARDHAT)('as %s dates the first block as if it were alone', async (_, options) => {
    node = await startNode(options);
    await node.rpc(mine, '0x3', '0x64');
    expect(await timesAfter(0)).toEqual([1, 101, 201]);
  });
});

// anvil 1.7.1 was asked for each of these.
describe('anvil_mine with a time between blocks', () => {
  it('counts what has passed since the head', async () => {
    node = await startNode();
    await node.clock.advance(3000);
    await node.rpc('anvil_mine', '0x3', '0x64');
    expect(await timesAfter(0)).toEqual([103, 203, 303]);
    await node.rpc('evm_increaseTime', 50);
    await node.rpc('anvil_mine', '0x2', '0x64');
    expect(await timesAfter(3)).toEqual([150, 250]);
  });

  it('begins at the timestamp that was set for the next block', async () => {
    node = await startNode();
    await node.rpc('evm_setNextBlockTimestamp', GENESIS_TIME + 1000);
    await node.rpc('anvil_mine', '0x3', '0x64');
    expect(await timesAfter(0)).toEqual([1000, 1100, 1200]);
  });

  it('gives way to a distance that was set for all blocks', async () => {
    node = await startNode();
    await node.rpc('anvil_setBlockTimestampInterval', 7);
    await node.rpc('anvil_mine', '0x3', '0x64');
    expect(await timesAfter(0)).toEqual([7, 14, 21]);
  });

  it('leaves an open block with transactions its timestamp', async () => {
    node = await startNode(MODES.interval);
    await node.transfer();
    await node.tick();
    await node.rpc('anvil_mine', '0x3', '0x1');
    expect(await timesAfter(0)).toEqual([2, 3, 4]);
  });
});
