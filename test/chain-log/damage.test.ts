import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { LogStore } from '../../src/chain-log/log-store.ts';
import { promoteCommand } from '../../src/cli/promote.ts';
import { connectRedis, type Redis } from '../../src/redis/connect.ts';
import { eventually } from '../eventually.ts';
import { HAS_REDIS, useRedis } from '../redis-server.ts';
import { agree, cleanAfterEachTest, follower, leader, type Shared } from './nodes.ts';

const redis = useRedis();
cleanAfterEachTest(redis);

/** Texts of the engine and its libraries, and of Redis without what was expected. */
const INTERNAL =
  /Unexpected|JSON at|ReadRawBytes|deserializ|undefined|null|not iterable|header check|zlib|user_script/i;
const CHAIN = 'devnet:31337';

async function client(): Promise<Redis> {
  const one = await connectRedis(redis.url);
  onTestFinished(() => one.destroy());
  return one;
}

async function failureOf(start: Promise<unknown>): Promise<string> {
  const error = await start.then(
    () => undefined,
    (reason: Error) => reason,
  );
  return error?.message ?? 'it started';
}

/** Blocks between two snapshots: more than are sealed while one is taken. */
const INTERVAL = 20;

/** Takes so many snapshots, and no more. */
async function takeSnapshots(live: Shared, count: number): Promise<readonly { name: string }[]> {
  const store = await LogStore.open(redis.url, 31337n);
  onTestFinished(() => store.close());
  for (let taken = 1; taken <= count; taken++) {
    for (let block = 0; block < INTERVAL; block++) await live.call('evm_mine');
    await eventually(
      async () => {
        // Those that came while the last one was taken weren't counted.
        if ((await store.snapshots()).length < taken) await live.call('evm_mine');
        expect(await store.snapshots()).toHaveLength(taken);
      },
      { timeout: 15_000, interval: 500 },
    );
  }
  return store.snapshots();
}

describe.skipIf(!HAS_REDIS)('what is in Redis', () => {
  test.each([
    [
      'the record',
      'chain',
      'garbage',
      /devnet:31337:chain in Redis: expected the record of a chain as JSON, got "garbage"/,
    ],
    [
      'a record that is none',
      'chain',
      '[1]',
      /devnet:31337:chain in Redis: expected the record of a chain as JSON, got/,
    ],
    [
      'the number of the leader',
      'fence',
      'abc',
      /devnet:31337:fence in Redis: expected the number of a leader, got "abc"/,
    ],
    [
      'a snapshot of another kind',
      'snapshots',
      'text',
      /devnet:31337:snapshots in Redis: expected a list.*got a string/,
    ],
    ['the log', 'log', 'text', /devnet:31337:log in Redis: expected a stream.*got a string/],
  ])('and is damaged ends a start with a sentence: %s', async (_what, name, text, expected) => {
    const live = await leader(redis.url);
    await live.node.close();
    await (await client()).set(`${CHAIN}:${name}`, text);
    const options = { manualClock: false, timestamp: undefined as never, newLog: false };
    const failures = [await failureOf(leader(redis.url, options))];
    if (name !== 'fence') failures.push(await failureOf(follower(redis.url)));
    for (const failure of failures) {
      expect(failure).toMatch(expected);
      expect(failure).not.toMatch(INTERNAL);
    }
  });

  test('and is no set of chains ends a start with a sentence', async () => {
    const one = await client();
    await one.del('devnet:chains');
    await one.set('devnet:chains', 'text');
    for (const start of [() => leader(redis.url), () => follower(redis.url)]) {
      const failure = await failureOf(start());
      expect(failure).toMatch(/devnet:chains in Redis: expected a set.*choose another Redis/);
      expect(failure).not.toMatch(INTERNAL);
    }
    await one.del('devnet:chains');
  });

  test('and a damaged snapshot is reported, and the one before is taken', async () => {
    const live = await leader(redis.url, { automine: true, snapshotInterval: INTERVAL });
    const [older, newer] = await takeSnapshots(live, 2);
    const one = await client();
    await one.set(newer!.name, 'what is no snapshot');
    const late = await follower(redis.url);
    await agree(live, late);
    expect(late.start).toEqual([expect.stringMatching(/^the snapshot devnet:31337:snapshot:\S+ is damaged/)]);
    await one.del(older!.name);
    const failure = await failureOf(follower(redis.url));
    expect(failure).toMatch(
      /^the snapshot devnet:31337:snapshot:\S+ is damaged.*start this node again when the leader/,
    );
    expect(failure).not.toMatch(INTERNAL);
    // A leader is told what helps it: nobody else takes a snapshot.
    await live.node.close();
    expect(
      await failureOf(
        leader(redis.url, { manualClock: false, timestamp: undefined as never, newLog: false }),
      ),
    ).toMatch(/is damaged.*begin a new chain with --new-log$/);
  });
});

describe('a port that accepts and never answers', () => {
  async function silent(): Promise<number> {
    const server = createServer().listen(0, '127.0.0.1');
    onTestFinished(() => void server.close());
    await once(server, 'listening');
    return (server.address() as AddressInfo).port;
  }

  test('ends the start of every node that needs it with a sentence', async () => {
    const port = await silent();
    const out = { write: () => true };
    const io = { stdout: out, stderr: out, version: '1' } as unknown as Parameters<typeof promoteCommand>[1];
    const begun = performance.now();
    const [asLeader, asFollower, byStream, promoted] = await Promise.all([
      failureOf(leader(`redis://127.0.0.1:${port}`)),
      failureOf(follower(`redis://127.0.0.1:${port}`)),
      failureOf(follower(`ws://127.0.0.1:${port}/flashblocks`)),
      failureOf(promoteCommand([`http://127.0.0.1:${port}`], io)),
    ]);
    expect(performance.now() - begun).toBeLessThan(15_000);
    for (const failure of [asLeader, asFollower])
      expect(failure).toMatch(/^no Redis at redis:.*: the connection was accepted, but nothing is answered$/);
    expect(byStream).toMatch(/^no connection to ws:.*: no answer within 5000 ms$/);
    expect(promoted).toMatch(/^no answer from http:.*: nothing within 5 s$/);
  });
});

test.skipIf(!HAS_REDIS)(
  'a member keeps what it needs in a folder that the next start removes after a kill',
  async () => {
    // Which process has it is written there: see the tests of `createTemporaryDirectory`.
    const folders = () =>
      readdirSync(tmpdir()).filter(
        (name) =>
          name.startsWith(`devnet-${process.pid}-`) &&
          existsSync(join(tmpdir(), name, 'owner.json')) &&
          existsSync(join(tmpdir(), name, 'chain-0')),
      );
    await leader(redis.url);
    const before = folders();
    const other = await follower(redis.url);
    expect(folders()).toHaveLength(before.length + 1);
    await other.node.close();
    expect(folders()).toEqual(before);
  },
);
