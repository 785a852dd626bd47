import { expect, it } from 'vitest';
import { garbageCollector } from '../../src/boot/collect-garbage.ts';
import { ManualClock } from '../../src/clock.ts';

function collector() {
  const clock = new ManualClock(1_000_000);
  const counts = { collections: 0 };
  const collect = garbageCollector({ clock, collect: () => void counts.collections++ });
  return { clock, counts, collect };
}

it('collects at once, and again ten seconds later when asked meanwhile', async () => {
  const { clock, counts, collect } = collector();
  collect(() => true);
  expect(counts.collections).toBe(1);
  await clock.advance(4_000);
  collect(() => true);
  collect(() => true);
  await clock.advance(5_999);
  expect(counts.collections).toBe(1);
  await clock.advance(1);
  expect(counts.collections).toBe(2);
  await clock.advance(60_000);
  expect(counts.collections).toBe(2);
});

it('waits while something runs', async () => {
  const { clock, counts, collect } = collector();
  collect(() => true);
  let quiet = false;
  collect(() => quiet);
  await clock.advance(19_999);
  quiet = true;
  expect(counts.collections).toBe(1);
  await clock.advance(1);
  expect(counts.collections).toBe(2);
});
