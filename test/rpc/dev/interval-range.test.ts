import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { DevnetOptions } from '../../../src/index.ts';
import { replayRecording } from '../../../src/replay/replay-recording.ts';
import { MODES, startNode, type TestNode } from './node.ts';

let node: TestNode;
afterEach(() => node.close());

const PACES: [string, DevnetOptions][] = [
  ['with partial blocks', MODES.interval],
  ['without partial blocks', { blockTime: 2, flashblockInterval: 0 }],
];

/** Seconds from block to block while a range of 2 to 9 seconds is set. */
async function gaps(options: DevnetOptions): Promise<number[]> {
  node = await startNode(options);
  await node.rpc('evm_setIntervalMining', [2, 9]);
  await node.clock.advance(100_000);
  const times: number[] = [];
  for (let i = 0; i <= (await node.number()); i++)
    times.push(Number((await node.block(`0x${i.toString(16)}`)).timestamp));
  return times.slice(1).map((time, i) => time - times[i]!);
}

describe.each(PACES)('evm_setIntervalMining with a range, %s', (_, options) => {
  it('lets each block take its own time, none shorter or longer than the range', async () => {
    const seen = await gaps(options);
    // Timestamps are whole seconds: a block of 2.1 s shows as 2 or 3.
    expect(Math.min(...seen)).toBeGreaterThanOrEqual(2);
    expect(Math.max(...seen)).toBeLessThanOrEqual(10);
    expect(new Set(seen).size).toBeGreaterThan(3);
    expect(seen.length).toBeGreaterThan(10);
  });

  it('draws the times from the seed: the same ones again, others with another seed', async () => {
    const first = await gaps(options);
    const { hash } = await node.block();
    await node.close();
    expect(await gaps(options)).toEqual(first);
    expect((await node.block()).hash).toBe(hash);
    await node.close();
    expect(await gaps({ ...options, seed: 'another' })).not.toEqual(first);
  });

  it('is part of a recording, which replays to the same hashes', async () => {
    const dir = mkdtempSync(join(tmpdir(), 'devnet-range-'));
    try {
      const record = join(dir, 'chain.jsonl');
      await gaps({ ...options, record });
      await node.transfer();
      await node.clock.advance(20_000);
      await node.close();
      expect(await replayRecording(record)).toMatchObject({ pass: true, transactions: 1 });
    } finally {
      rmSync(dir, { recursive: true });
    }
  });
});

describe('the range of evm_setIntervalMining', () => {
  it('is answered by anvil_getIntervalMining, and one of two equal times is no range', async () => {
    node = await startNode();
    await node.rpc('anvil_setIntervalMining', [1, '0x3']);
    expect(await node.rpc('anvil_getIntervalMining')).toEqual([1, 3]);
    await node.rpc('hardhat_setIntervalMining', [2, 2]);
    expect(await node.rpc('anvil_getIntervalMining')).toBe(2);
  });

  it("is in milliseconds for Hardhat's users, whose automine stays", async () => {
    node = await startNode({ compat: 'hardhat' });
    expect(await node.rpc('evm_setIntervalMining', [3000, 6000])).toBe(true);
    expect(await node.rpc('anvil_getIntervalMining')).toEqual([3, 6]);
    expect(await node.rpc('hardhat_getAutomine')).toBe(true);
    await node.clock.advance(2999);
    expect(await node.number()).toBe(0);
    await node.clock.advance(3001);
    expect(await node.number()).toBe(1);
  });

  it.each([[[3, 2]], [[0, 2]], [[-1, 2]], [[1]], [[1, 2, 3]], [[1, 'soon']], [[1, 2 ** 31]], [2 ** 31]])(
    '%j is refused, and nothing changes',
    async (time) => {
      node = await startNode();
      await expect(node.rpc('evm_setIntervalMining', time)).rejects.toMatchObject({
        code: -32602,
        message: expect.stringMatching(/expected .*, got /),
      });
      expect(await node.rpc('anvil_getIntervalMining')).toBeNull();
      expect(await node.rpc('anvil_getAutomine')).toBe(true);
    },
  );
});
