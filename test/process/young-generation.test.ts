import { expect, test } from 'vitest';
import { runScript } from '../boot/run-script.ts';

const MiB = 2 ** 20;

/** Runs in a process of its own: the test runner's heap has grown already. */
const SCRIPT = `
  import { getHeapSpaceStatistics } from 'node:v8';
  import { limitYoungGeneration, prepareYoungGeneration } from './src/process/young-generation.ts';
  import { ManualClock } from './src/clock.ts';

  const sizes = [];
  const measure = () => {
    const { space_size, physical_space_size } = getHeapSpaceStatistics().find((one) => one.space_name === 'new_space');
    sizes.push({ size: space_size, touched: physical_space_size });
  };
  const work = () => {
    const held = [];
    for (let i = 0; i < 24 * 1024; i++) held.push(new Array(126).fill(i));
    return held.length;
  };

  if (process.argv[1] === 'grown') {
    const held = [];
    while (getHeapSpaceStatistics().find((one) => one.space_name === 'new_space').space_size < 4 * 2 ** 20) {
      held.push(new Array(126).fill(0));
    }
  }
  measure();
  const wall = new ManualClock();
  if (process.argv[1] === 'busy') limitYoungGeneration(true);
  if (process.argv[1] !== 'leave') void prepareYoungGeneration({ wall, work: () => 0 });
  await wall.advance(1_000);
  measure();
  limitYoungGeneration(true);
  work();
  measure();
  limitYoungGeneration(false);
  work();
  measure();
  console.log(JSON.stringify(sizes));`;

const sizesOf = (argument: string): { size: number; touched: number }[] =>
  JSON.parse(runScript(SCRIPT, argument));

/** V8 begins with one half of 1 MiB, and takes the second one when it first collects. */
const bothHalves = ({ size }: { size: number }): number => Math.max(2 * MiB, size);

test('the young generation is enlarged, has been written to, and stays as it is', () => {
  const [atStart, prepared, busy, idle] = sizesOf('prepare');
  expect(atStart!.size).toBeLessThan(8 * MiB);
  expect(prepared!.size).toBe(8 * MiB);
  expect(prepared!.touched).toBeGreaterThan(0.8 * prepared!.size);
  expect(busy!.size).toBe(prepared!.size);
  expect(idle!.size).toBe(prepared!.size);
});

test('it ends at the same size where V8 has enlarged it at the start already', () => {
  const [atStart, prepared, busy, idle] = sizesOf('grown');
  expect(atStart!.size).toBe(4 * MiB);
  expect([prepared!.size, busy!.size, idle!.size]).toEqual([8 * MiB, 8 * MiB, 8 * MiB]);
});

test('where it was not prepared, V8 enlarges it as it likes, but not while long runs are under way', () => {
  const [atStart, , busy, idle] = sizesOf('leave');
  expect(busy!.size).toBe(bothHalves(atStart!));
  expect(idle!.size).toBeGreaterThan(busy!.size);
});

test('it is not enlarged while long runs are under way', () => {
  const [atStart, prepared] = sizesOf('busy');
  expect(prepared!.size).toBe(bothHalves(atStart!));
});
