import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { connectRedis, type Redis } from '../../src/redis/connect.ts';
import { failureText } from '../../src/redis/refusal.ts';
import { eventually } from '../eventually.ts';
import { HAS_REDIS, useRedis } from '../redis-server.ts';
import { agree, cleanAfterEachTest, follower, leader, type Shared } from './nodes.ts';

const redis = useRedis();
cleanAfterEachTest(redis);

const redisTimeout = 2_500;
const SOON = { timeout: 20_000, interval: 50 };

/** The lines of a node without those of a connection that was lost, on a busy machine. */
const told = ({ lines }: Shared) => lines.filter((line) => !/^Redis is (away|back)/.test(line));

/** Makes Redis refuse all writes. @returns what makes it take them again */
const REFUSALS: [string, RegExp, (client: Redis) => Promise<() => Promise<unknown>>][] = [
  [
    'it has no memory left',
    /OOM/,
    async (client) => {
      await client.configSet('maxmemory', '1');
      return () => client.configSet('maxmemory', '0');
    },
  ],
  [
    'it can not write to its disk',
    /MISCONF/,
    async (client) => {
      // A folder in the place of the file that it writes.
      mkdirSync(join(redis.dir, 'dump.rdb'));
      await client.configSet('save', '3600 1');
      await client.bgSave();
      await eventually(
        async () => expect(await client.info('persistence')).toMatch('bgsave_status:err'),
        SOON,
      );
      return () => client.configSet('save', '');
    },
  ],
];

describe.skipIf(!HAS_REDIS)('a Redis that refuses to write', () => {
  test.each(REFUSALS)(
    'because %s is told of by everybody, and the leader goes on',
    async (_what, code, refuse) => {
      const client = await connectRedis(redis.url);
      onTestFinished(() => client.destroy());
      const live = await leader(redis.url, { redisTimeout, automine: true });
      const other = await follower(redis.url, { redisTimeout });
      await live.call('evm_mine');
      await agree(live, other);
      const heal = await refuse(client);
      await live.call('evm_mine');
      // What the leader has, the follower knows that it lacks.
      await eventually(
        async () => expect((await other.call('devnet_status')).waiting).toBeGreaterThan(0),
        SOON,
      );
      await eventually(async () => expect((await fetch(`${other.url}/healthz`)).status).toBe(503), SOON);
      const { problem } = await other.call('devnet_status');
      expect(problem).toMatch(
        /has not heard of its log for \d+ s.*the leader is at \d+-\d+, the log at \d+-\d+/,
      );
      await eventually(() => expect(told(other).at(-1)).toMatch('has not heard of its log'), SOON);
      // Long after its lease would have ended, since nobody else can get one.
      expect(told(live)).toEqual([expect.stringMatching(/^Redis refuses .*blocks go on, followers wait$/)]);
      expect(told(live)[0]).toMatch(code);
      await live.call('evm_mine');
      expect((await fetch(`${live.url}/healthz`)).status).toBe(200);
      await expect(other.call('devnet_promote')).rejects.toMatchObject({
        code: -32000,
        message: expect.stringMatching(code),
      });
      await heal();
      await agree(live, other);
      await eventually(
        () => expect(told(live).at(-1)).toMatch(/^Redis does again what it refused, after/),
        SOON,
      );
      await eventually(() => expect(told(other).at(-1)).toMatch(/^this node hears of its log again/), SOON);
      expect(await other.call('devnet_status')).toMatchObject({ waiting: 0, problem: null });
    },
  );
});

test.each([
  [
    'WRONGTYPE Operation against a key holding the wrong kind of value',
    /^Redis refuses what this node asks: WRONGTYPE/,
  ],
  ['another error', /^another error$/],
])('a failure of Redis is a sentence: %s', (message, text) => {
  expect(failureText(new Error(message))).toMatch(text);
});

test('no text of the client of Redis is shown', async () => {
  const { SocketTimeoutError, TimeoutError, ClientClosedError } = await import('@redis/client');
  for (const error of [new SocketTimeoutError(3), new TimeoutError(), new ClientClosedError()])
    expect(failureText(error)).toBe('Redis does not answer');
  const lost = Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' });
  expect(failureText(lost)).toBe("Redis can't be reached (ECONNRESET)");
});
