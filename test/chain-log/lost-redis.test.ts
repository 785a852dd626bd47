import { describe, expect, onTestFinished, test } from 'vitest';
import { LogStore } from '../../src/chain-log/log-store.ts';
import { START } from '../../src/chain-log/position.ts';
import { connectRedis, type Redis } from '../../src/redis/connect.ts';
import { eventually } from '../eventually.ts';
import { HAS_REDIS, useRedis } from '../redis-server.ts';
import { SilentProxy } from '../silent-proxy.ts';
import { agree, cleanAfterEachTest, follower, health, leader, type Shared } from './nodes.ts';

const redis = useRedis();
cleanAfterEachTest(redis);

const CLOCK = { manualClock: false, timestamp: undefined as never, newLog: false };

async function asking(ask: (client: Redis) => Promise<unknown>): Promise<void> {
  const client = await connectRedis(redis.url);
  try {
    await ask(client);
  } finally {
    client.destroy();
  }
}

/** A follower, once the leader has put back what Redis lost. */
const laterFollower = (): Promise<Shared> =>
  eventually(() => follower(redis.url), { timeout: 15_000, interval: 300 });

describe.skipIf(!HAS_REDIS)('a chain whose Redis lost its data', () => {
  test.each([
    ['all of it', (client: Redis) => client.flushAll()],
    ['its record', (client: Redis) => client.del(['devnet:31337:chain', 'devnet:chains'])],
    ['its log', (client: Redis) => client.del('devnet:31337:log')],
  ])('has followers again after it lost %s, and goes on after a restart', async (_what, lose) => {
    const live = await leader(redis.url, { automine: true });
    expect(live.start).toEqual(['new chain: this node leads it from block 0 on']);
    const [from, to] = await live.call('eth_accounts');
    for (let block = 0; block < 3; block++)
      await live.call('eth_sendTransaction', { from, to, value: '0x1' });
    await live.call('anvil_setBalance', to, '0x7');
    await eventually(async () => expect((await live.call('devnet_status')).waiting).toBe(0));
    await asking(lose);
    // Nothing happens on the chain that would tell.
    const late = await laterFollower();
    await agree(live, late);
    expect(await late.call('eth_getBalance', to)).toBe('0x7');
    await live.call('evm_mine');
    await agree(live, late);
    await late.node.close();
    await live.node.close();
    const again = await leader(redis.url, CLOCK);
    expect(again.start).toEqual([expect.stringMatching(/^the chain goes on at block 4: this node leads it/)]);
    expect(await again.call('eth_blockNumber')).toBe('0x4');
  });

  test('is not replaced by a new one while its log, its snapshots or its fencing number stand', async () => {
    const live = await leader(redis.url, { automine: true, snapshotInterval: 1 });
    await live.call('evm_mine');
    await live.node.close();
    for (const [keys, left] of [
      [['chain'], /^Redis still has a log(?: and snapshots)? and a fencing number of chain 31337/],
      [['log', 'snapshots'], /^Redis still has a fencing number of chain 31337/],
    ] as const) {
      await asking((client) => client.del(keys.map((key) => `devnet:31337:${key}`)));
      await expect(leader(redis.url, CLOCK)).rejects.toThrow(left);
    }
    const fresh = await leader(redis.url);
    expect(fresh.start).toEqual(['new chain: this node leads it from block 0 on']);
  });

  test('ends its leader when another chain began in the empty Redis', async () => {
    const live = await leader(redis.url, { automine: true });
    await live.call('evm_mine');
    await eventually(async () => expect((await live.call('devnet_status')).waiting).toBe(0));
    const ended = expect(live.node.closed).rejects.toThrow('another node leads this chain now');
    await asking(async (client) => {
      await client.flushAll();
      await client.set('devnet:31337:chain', JSON.stringify({ format: 1, id: 'other', options: {} }));
    });
    await live.call('evm_mine');
    await ended;
    await asking(async (client) => expect(await client.xLen('devnet:31337:log')).toBe(0));
  });

  test('ends a follower when another chain began in the empty Redis', async () => {
    // Nobody listens there: the follower hears of the other chain from Redis alone.
    const live = await leader(redis.url, { automine: true, advertise: 'http://127.0.0.1:9' });
    const other = await follower(redis.url);
    await live.call('evm_mine');
    await agree(live, other);
    await live.node.close();
    // The numbers of its leaders begin anew.
    await asking((client) => client.flushAll());
    const ended = expect(other.node.closed).rejects.toThrow('another chain has begun in this Redis');
    await leader(redis.url, { automine: true });
    await ended;
  });

  test('goes on with a follower that is promoted, which waits for the whole lease', async () => {
    const redisTimeout = 1_500;
    const between = await SilentProxy.before(redis.url);
    onTestFinished(() => between.close());
    const live = await leader(between.urlOf(redis.url), {
      redisTimeout,
      automine: true,
      advertise: 'http://127.0.0.1:9',
    });
    const other = await follower(redis.url, { redisTimeout });
    const [, to] = await live.call('eth_accounts');
    await live.call('anvil_setBalance', to, '0x7');
    await live.call('evm_mine');
    await agree(live, other);
    expect(await health(other)).toEqual([200, 'ok\n']);
    // As a leader that ended: it can neither write again what Redis loses nor answer.
    between.silence();
    await asking((client) => client.flushAll());
    await eventually(
      async () =>
        expect(await health(other)).toEqual([
          503,
          expect.stringMatching(/Redis has lost the log up to 1-\d+/),
        ]),
      { timeout: 15_000 },
    );
    // Nobody can tell whether the leader gave its lease back.
    const begun = performance.now();
    expect((await other.call('devnet_promote')).position).toMatch(/^2-/);
    expect(performance.now() - begun).toBeGreaterThan(redisTimeout - 100);
    expect(await health(other)).toEqual([200, 'ok\n']);
    expect(await other.call('eth_getBalance', to)).toBe('0x7');
    await other.call('evm_mine');
    const late = await laterFollower();
    await agree(other, late);
    expect(await late.call('eth_blockNumber')).toBe('0x2');
  });

  test('has a log that takes again what was in it, also where no entry is left', async () => {
    const store = await LogStore.open(redis.url, 31337n);
    onTestFinished(() => store.close());
    const entry = (task: number) => ({ position: { fence: 1, task }, at: 0, tasks: [[`${task}`]] });
    await store.begin(1, { at: 0, own: START });
    await store.append(entry(1), { fence: 1, task: 0 });
    await store.append(entry(2), { fence: 1, task: 1 });
    await store.trim({ fence: 1, task: 9 });
    expect(await store.last()).toEqual(START);
    expect(await store.append(entry(2), START)).toEqual({ fence: 1, task: 2 });
    // As of a log that has it.
    expect(await store.append(entry(2), START)).toEqual({ fence: 1, task: 2 });
    expect(await store.last()).toEqual({ fence: 1, task: 2 });
  });
});
