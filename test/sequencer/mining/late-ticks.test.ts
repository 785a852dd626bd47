import { describe, expect, it } from 'vitest';
import type { Flashblock } from '../../../src/sequencer/feed/feed.ts';
import { bareSequencer } from '../bare-sequencer.ts';
import { GENESIS } from '../start-chain.ts';

const SECOND = 1000;

async function start(options = {}) {
  const node = await bareSequencer({ blockTime: 2, flashblockInterval: 200, ...options });
  const flashblocks: Flashblock[] = [];
  node.feed.on('flashblock', (flashblock) => flashblocks.push(flashblock));
  return { ...node, flashblocks };
}

const timestampsOf = ({ chain }: Awaited<ReturnType<typeof start>>) =>
  [...Array(Number(chain.latest.header.number)).keys()].map((i) => {
    const hash = chain.hashOf(BigInt(i + 1))!;
    const block = chain.resolve({ hash });
    if (!block || block instanceof Promise) throw new Error(`no block ${i + 1}`);
    return block.header.timestamp - GENESIS;
  });

describe('a tick that comes late', () => {
  it('by less than an interval, is published late and counted; the ones after it keep their time', async () => {
    await using node = await start();
    await node.clock.jump(390);
    expect(node.flashblocks.map(({ index }) => index)).toEqual([1]);
    expect(node.sequencer.metrics.report()).toMatchObject({ ticks: 1, lateTicks: 1, mergedTicks: 0 });
    await node.clock.jump(10);
    expect(node.flashblocks.map(({ index }) => index)).toEqual([1, 2]);
  });

  it('by more, merges the slots that were missed: indexes stay contiguous', async () => {
    await using node = await start();
    await node.clock.jump(1250);
    expect(node.flashblocks.map(({ index }) => index)).toEqual([1]);
    expect(node.sequencer.metrics.report()).toMatchObject({ ticks: 1, mergedTicks: 5 });
    await node.clock.jump(750);
    expect(node.flashblocks.map(({ index }) => index)).toEqual([1, 2, 0]);
    expect(timestampsOf(node)).toEqual([2n]);
  });

  it('by blocks, seals the open block as scheduled and goes on from the last boundary before now', async () => {
    await using node = await start();
    await node.clock.jump(11 * SECOND + 100);
    // The block of 2 s, late; then the one that began at 10 s.
    expect(timestampsOf(node)).toEqual([2n]);
    await node.clock.jump(900);
    expect(timestampsOf(node)).toEqual([2n, 12n]);
    // 60 slots: 1 late tick for the first block's ten, four blocks of ten missed, then those of the last.
    const { ticks, mergedTicks } = node.sequencer.metrics.report();
    expect(ticks + mergedTicks).toBe(60);
  });

  it('without partial blocks: one block, timed at the last boundary before now', async () => {
    await using node = await start({ flashblockInterval: 0 });
    await node.clock.jump(7 * SECOND);
    expect(timestampsOf(node)).toEqual([6n]);
    expect(node.sequencer.metrics.report()).toMatchObject({ ticks: 1, mergedTicks: 2 });
    await node.clock.jump(SECOND);
    expect(timestampsOf(node)).toEqual([6n, 8n]);
  });

  it('a clock that is set back does not stop the chain, and timestamps keep rising', async () => {
    await using node = await start();
    await node.clock.jump(2 * SECOND);
    node.clock.setBack(3600 * SECOND);
    for (let ms = 0; ms < 60 * SECOND; ms += 200) await node.clock.jump(200);
    const times = timestampsOf(node);
    // The block that was open takes longer, then all have their time again.
    expect(times.length).toBeGreaterThan(20);
    expect(times).toEqual([...new Set(times)].sort((a, b) => Number(a - b)));
  });
});
