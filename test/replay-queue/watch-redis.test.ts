import { expect, test } from 'vitest';
import { ManualClock } from '../../src/clock.ts';
import type { Redis } from '../../src/redis/connect.ts';
import { watchRedis } from '../../src/replay-queue/watch-redis.ts';

test('a Redis that is silent is reported once, and again when it answers', async () => {
  const clock = new ManualClock();
  const lines: string[] = [];
  let isSilent = false;
  const ping = async () => {
    if (isSilent) throw new Error('Socket timeout timeout.');
    return 'PONG';
  };
  using _ = watchRedis({ ping } as unknown as Redis, { clock, tell: (line) => lines.push(line) });
  await clock.advance(60_000);
  expect(lines).toEqual([]);
  isSilent = true;
  await clock.advance(30_000);
  expect(lines).toEqual([expect.stringMatching(/^Redis has not answered for 1[0-3] s: nothing goes on/)]);
  isSilent = false;
  await clock.advance(4_000);
  expect(lines.slice(1)).toEqual([expect.stringMatching(/^Redis answers again, after 3\d s$/)]);
});
