import { expect, it } from 'vitest';
import { ManualClock } from '../../src/clock.ts';
import { garbageCollector } from '../../src/process/collect-garbage.ts';

const MIB = 2 ** 20;

/** A collector of a process that has 100 MiB at first and after each collection. */
function collector() {
  const clock = new ManualClock(1_000_000);
  const process = { collections: 0, drops: 0, looks: 0, memory: 100 * MIB };
  const collect = () => {
    process.collections++;
    process.memory = 100 * MIB;
  };
  const drop = () => void process.drops++;
  const memory = () => {
    process.looks++;
    return process.memory;
  };
  const runsEnd = garbageCollector({ clock, memory, collect, drop });
  return { clock, process, runsEnd };
}

it('collects where memory has grown, a second after a long run, and again ten seconds later at the earliest', async () => {
  const { clock, process, runsEnd } = collector();
  process.memory = 163 * MIB;
  runsEnd(() => true);
  await clock.advance(2_000);
  expect(process.collections).toBe(0);
  process.memory = 164 * MIB;
  runsEnd(() => true);
  await clock.advance(999);
  expect(process.collections).toBe(0);
  await clock.advance(1);
  expect(process.collections).toBe(1);
  await clock.advance(4_000);
  process.memory = 300 * MIB;
  runsEnd(() => true);
  runsEnd(() => true);
  await clock.advance(5_999);
  expect(process.collections).toBe(1);
  await clock.advance(1);
  expect(process.collections).toBe(2);
  await clock.advance(60_000);
  expect(process.collections).toBe(2);
});

it('collects less once nothing long has run for ten seconds, and drops what only long runs need before it does', async () => {
  const { clock, process, runsEnd } = collector();
  process.memory = 130 * MIB;
  runsEnd(() => true);
  await clock.advance(6_000);
  runsEnd(() => true);
  await clock.advance(9_000);
  expect(process.collections).toBe(0);
  await clock.advance(5_000);
  expect([process.collections, process.drops]).toEqual([1, 1]);
  process.memory = 115 * MIB;
  runsEnd(() => true);
  await clock.advance(60_000);
  expect(process.collections).toBe(1);
  process.memory = 116 * MIB;
  runsEnd(() => false);
  await clock.advance(60_000);
  expect(process.collections).toBe(1);
});

it('waits while something long runs', async () => {
  const { clock, process, runsEnd } = collector();
  process.memory = 300 * MIB;
  let quiet = false;
  runsEnd(() => quiet);
  await clock.advance(9_999);
  quiet = true;
  expect(process.collections).toBe(0);
  await clock.advance(1);
  expect(process.collections).toBe(1);
});

it('looks at the memory ten times a second at most, and misses nothing that has grown between two looks', async () => {
  const { clock, process, runsEnd } = collector();
  const { looks } = process;
  for (let i = 0; i < 100; i++) {
    runsEnd(() => true);
    await clock.advance(1);
  }
  expect(process.looks - looks).toBe(2);
  process.memory = 300 * MIB;
  runsEnd(() => true);
  await clock.advance(1_099);
  expect(process.collections).toBe(0);
  await clock.advance(1);
  expect(process.collections).toBe(1);
});

it('collects nothing where the memory was freed meanwhile', async () => {
  const { clock, process, runsEnd } = collector();
  process.memory = 300 * MIB;
  runsEnd(() => true);
  process.memory = 110 * MIB;
  await clock.advance(60_000);
  expect(process.collections).toBe(0);
});
