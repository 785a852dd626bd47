import { expect, it } from 'vitest';
import { ManualClock } from '../../src/clock.ts';
import { inIdleTime } from '../../src/process/idle-time.ts';

/** Runs `count` slices where the event loop works as `works` says after each of them; reports when they ran. */
async function run(count: number, works: readonly number[], stop?: AbortController) {
  const wall = new ManualClock();
  const began = wall.now();
  const ran: number[] = [];
  const measured = [...works];
  // Measured twice for each wait: after a slice, which doesn't count, and after the wait.
  let isEnd = false;
  const work = () => {
    isEnd = !isEnd;
    return isEnd ? 1 : (measured.shift() ?? 0);
  };
  let ended = false;
  const slice = () => ran.push(wall.now() - began) < count;
  void inIdleTime(slice, { wall, work }, stop?.signal).then(() => {
    ended = true;
  });
  await wall.advance(10);
  stop?.abort();
  // It waits for nothing else, so it has ended before the clock moves on.
  await Promise.resolve();
  await Promise.resolve();
  const atStop = ended;
  await wall.advance(1_000);
  return { ran, ended, ...(stop && { atStop }) };
}

it('slices run a millisecond apart while the event loop has little to do, up to the last one', async () => {
  expect(await run(4, [])).toEqual({ ran: [0, 1, 2, 3], ended: true });
});

it('a busy event loop is looked at again after 20 milliseconds', async () => {
  expect(await run(3, [0.1, 0.9, 0.6, 0.2])).toEqual({ ran: [0, 1, 42], ended: true });
});

it('ends early when it is stopped', async () => {
  const busy = Array(1_000).fill(1);
  expect(await run(3, busy, new AbortController())).toEqual({ ran: [0], ended: true, atStop: true });
});
