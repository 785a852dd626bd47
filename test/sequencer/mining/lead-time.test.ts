import { describe, expect, it, vi } from 'vitest';
import { LeadTime } from '../../../src/sequencer/mining/lead-time.ts';
import { bareSequencer } from '../bare-sequencer.ts';
import { GENESIS } from '../start-chain.ts';

const START = Number(GENESIS) * 1000;

/** A clock of which each look takes a quarter of a millisecond. */
function lookedAt(start: number) {
  let now = start;
  const sleeps: number[] = [];
  const pass = (ms: number) => {
    now += ms;
    return now;
  };
  return {
    sleeps,
    clock: { precise: () => pass(0.25) },
    wall: {
      after: (ms: number, task: () => unknown) => {
        sleeps.push(ms);
        pass(ms);
        task();
        return { [Symbol.dispose]: () => {} };
      },
    },
  };
}

describe('a tick begins before it is due', () => {
  const leadAfter = (...works: number[]) => {
    const lead = new LeadTime(200, lookedAt(0));
    for (const work of works) lead.add(work);
    return [lead.ms(true), lead.ms(false)];
  };

  it('by what the longest of the latest ones took, and by what a timer may be late', () => {
    expect(leadAfter(2.5, 4.2, 1)).toEqual([6, 6]);
    expect(leadAfter(4.2, ...Array<number>(15).fill(2))).toEqual([6, 6]);
    expect(leadAfter(4.2, ...Array<number>(16).fill(2))).toEqual([3, 3]);
  });

  it('after idle ones only where there are transactions, and by a tenth of the interval at most', () => {
    expect(leadAfter()).toEqual([0, 0]);
    expect(leadAfter(0.9, 0.3)).toEqual([5, 0]);
    expect(leadAfter(150)).toEqual([20, 20]);
  });

  it('and waits until it is due: with a timer, then with looks at the clock', async () => {
    const looked = lookedAt(1000);
    const lead = new LeadTime(200, looked);
    lead.add(7);
    await lead.waitUntil(1008);
    expect(looked.sleeps).toEqual([5, 1]);
    expect(looked.clock.precise()).toBeGreaterThanOrEqual(1008);
    expect(looked.clock.precise()).toBeLessThan(1009);
    expect(lead.waited).toBeCloseTo(8, 0);
  });

  it('but not for a time that is over, or far ahead since somebody has set the clock back', async () => {
    const looked = lookedAt(1000);
    const lead = new LeadTime(200, looked);
    lead.add(7);
    await lead.waitUntil(900);
    await lead.waitUntil(3000);
    expect(looked.clock.precise()).toBeLessThan(1003);
    expect(looked.sleeps).toEqual([]);
  });

  it('nor on a clock that stands still while work is done: there each tick begins when it is due', async () => {
    const clock = { precise: () => 999 };
    const lead = new LeadTime(200, { ...lookedAt(0), clock });
    lead.add(0);
    await lead.waitUntil(1000);
    expect(lead.waited).toBe(0);
  });

  it('and its flashblock is published when it is due; for the chain, that is the time of the tick', async () => {
    await using node = await working(1.5);
    const { clock, sequencer, tasks, published } = node;
    await clock.jump(200);
    expect(published).toEqual([expect.closeTo(204, 0)]);
    await clock.jump(START + 394.5 - clock.now());
    expect(published).toHaveLength(1);
    await clock.jump(START + 395 - clock.now());
    expect(published).toHaveLength(2);
    expect(published[1]).toBeGreaterThanOrEqual(400);
    expect(published[1]).toBeLessThan(401);
    expect(tasks.map(({ at }) => at - START)).toEqual([0, 200, 400]);
    const [last] = sequencer.metrics.recent(1);
    expect(last!.drift).toBeLessThan(1.5);
    expect(last!.length).toBeLessThan(5);
  });

  it('on an idle node from the first transaction on', async () => {
    await using node = await working(0);
    const { clock, sequencer, tasks, published, transfer } = node;
    await clock.jump(200);
    await clock.jump(START + 395 - clock.now());
    expect(published).toHaveLength(1);
    await clock.jump(START + 400 - clock.now());
    expect(published).toHaveLength(2);
    await sequencer.submit(transfer(0, 0n));
    await clock.jump(START + 595 - clock.now());
    expect(published).toHaveLength(3);
    expect(published[2]).toBeGreaterThanOrEqual(600);
    expect(tasks.map(({ at }) => at - START)).toEqual([0, 200, 400, 600]);
  });
});

/** A node whose ticks do twice as many milliseconds of work: to fill the block, and to show it. */
async function working(ms: number) {
  const node = await bareSequencer({ blockTime: 2, flashblockInterval: 200 });
  const { clock, engine, feed, wall } = node;
  const published: number[] = [];
  feed.on('flashblock', () => published.push(clock.now() - START));
  clock.perLook = 0.25;
  const workspace = engine.workspace.bind(engine);
  vi.spyOn(engine, 'workspace').mockImplementation((...on) => {
    clock.pass(ms);
    return workspace(...on);
  });
  vi.spyOn(wall, 'after').mockImplementation((wait, task) => {
    clock.pass(wait);
    setImmediate(task);
    return { [Symbol.dispose]: () => {} };
  });
  return { ...node, published };
}
