import { expect, it } from 'vitest';
import { ForkWait } from '../../src/boot/fork-wait.ts';
import { ManualClock } from '../../src/clock.ts';

it('a start that waits for the forked node is reported after 2 s, then every 5 s, without what follows the host', async () => {
  const clock = new ManualClock(0);
  const lines: string[] = [];
  const wait = new ForkWait(
    { url: 'https://me:secret@node.example/v2/key?k=1' },
    { clock, tell: (line) => lines.push(line) },
  );
  await clock.advance(1999);
  expect(lines).toEqual([]);
  await clock.advance(1);
  await clock.advance(10_000);
  wait.retried({ reason: 'HTTP 503', attempt: 2, attempts: 6, wait: 1000 });
  expect(lines).toEqual([
    'waiting for https://node.example ... 2 s',
    'waiting for https://node.example ... 7 s',
    'waiting for https://node.example ... 12 s',
    'https://node.example: HTTP 503; attempt 2 of 6 in 1 s (--retries)',
  ]);
  wait[Symbol.dispose]();
  await clock.advance(60_000);
  wait.retried({ reason: 'HTTP 503', attempt: 2, attempts: 6, wait: 1000 });
  expect(lines).toHaveLength(4);
});
