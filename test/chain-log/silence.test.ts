import { describe, expect, onTestFinished, test } from 'vitest';
import { LogStore } from '../../src/chain-log/log-store.ts';
import { positionOf, textOf } from '../../src/chain-log/position.ts';
import { eventually } from '../eventually.ts';
import { freePort, HAS_REDIS, useRedis } from '../redis-server.ts';
import { SilentProxy } from '../silent-proxy.ts';
import { agree, cleanAfterEachTest, follower, health, leader, post, type Shared } from './nodes.ts';

const redis = useRedis();
cleanAfterEachTest(redis);

/** How long Redis may be silent, milliseconds. */
const redisTimeout = 2_500;
/** What `vi.waitFor` takes: several times that, on a busy machine. */
const SOON = { timeout: 15_000, interval: 50 };

async function proxy(): Promise<SilentProxy> {
  const between = await SilentProxy.before(redis.url);
  onTestFinished(() => between.close());
  return between;
}

/**
 * A leader and a follower. `between` stands between the leader and Redis, `door` between the follower and the leader: either may go
 * silent.
 */
async function behindDoors() {
  const between = await proxy();
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const door = await SilentProxy.before(url);
  const address = door.urlOf(url);
  const live = await leader(between.urlOf(redis.url), {
    redisTimeout,
    automine: true,
    port,
    advertise: address,
  });
  const other = await follower(redis.url, { redisTimeout });
  return { between, door, address, live, other };
}

async function heardSeconds({ url }: Shared): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text();
  return Number(/^devnet_log_heard_seconds (.*)$/m.exec(text)![1]);
}

describe.skipIf(!HAS_REDIS)('a connection to Redis that goes silent', () => {
  test('makes a follower say that its chain may be old, until it hears of the log again', async () => {
    const live = await leader(redis.url, { redisTimeout, automine: true });
    const between = await proxy();
    const other = await follower(between.urlOf(redis.url), { redisTimeout });
    await live.call('evm_mine');
    await agree(live, other);
    expect(await health(other)).toEqual([200, 'ok\n']);
    between.silence();
    await live.call('evm_mine');
    await eventually(async () => expect((await health(other))[0]).toBe(503), SOON);
    expect((await health(other))[1]).toMatch(/^this node has not heard of its log for \d+ s/);
    expect(await heardSeconds(other)).toBeGreaterThan(redisTimeout / 1_000);
    const status = await other.call('devnet_status');
    expect(status.heardMs).toBeGreaterThan(redisTimeout);
    expect(status.problem).toMatch(/has not heard/);
    await eventually(
      () => expect(other.lines).toContainEqual(expect.stringMatching(/^this node has not heard of its log/)),
      SOON,
    );
    // The leader hears everything.
    expect(await health(live)).toEqual([200, 'ok\n']);
    between.speak();
    await agree(live, other);
    await eventually(async () => expect(await health(other)).toEqual([200, 'ok\n']), SOON);
    expect(other.lines).toContainEqual(
      expect.stringMatching(/^this node hears of its log again, after \d+ s$/),
    );
    expect((await other.call('devnet_status')).problem).toBeNull();
  });

  test('lets a follower answer 200 no longer for an answer of the leader that waited for Redis', async () => {
    const live = await leader(redis.url, { redisTimeout, automine: true });
    const between = await proxy();
    const other = await follower(between.urlOf(redis.url), { redisTimeout });
    await live.call('evm_mine');
    await agree(live, other);
    expect(await health(other)).toEqual([200, 'ok\n']);
    between.silence({ up: true });
    // By then the follower's read was answered, and it has asked the leader, which had no more yet, and Redis.
    await new Promise((resolve) => setTimeout(resolve, redisTimeout / 4));
    await live.call('evm_mine');
    const before = performance.now();
    await eventually(async () => expect((await health(other))[0]).toBe(503), SOON);
    expect(performance.now() - before).toBeLessThan(1.2 * redisTimeout);
  });

  test('of a leader that other nodes do not reach either is told soon after its lease is over', async () => {
    const { between, door, live, other } = await behindDoors();
    door.silence();
    // It is asked in vain meanwhile.
    await new Promise((resolve) => setTimeout(resolve, redisTimeout));
    expect(await health(other)).toEqual([200, 'ok\n']);
    between.silence();
    await live.call('evm_mine');
    const before = performance.now();
    await eventually(async () => expect((await health(other))[0]).toBe(503), SOON);
    // The lease; at most two looks at the leader, and a read before them.
    expect(performance.now() - before).toBeLessThan(2 * redisTimeout);
  });

  test('of a leader that was started again is told by a follower that has passed nothing on to it', async () => {
    const first = await leader(redis.url, { redisTimeout, automine: true });
    const other = await follower(redis.url, { redisTimeout });
    await first.call('evm_mine');
    await agree(first, other);
    await first.node.close();
    const between = await proxy();
    const clock = { manualClock: false, timestamp: undefined as never };
    const next = await leader(between.urlOf(redis.url), { redisTimeout, newLog: false, ...clock });
    await next.call('evm_mine');
    await eventually(async () =>
      expect((await other.call('devnet_status')).position).toBe((await next.call('devnet_status')).position),
    );
    between.silence();
    await next.call('evm_mine');
    await eventually(
      async () => expect(await health(other)).toEqual([503, expect.stringMatching(/the leader is at 2-/)]),
      SOON,
    );
  });

  test('lets a write through a follower be answered with the position that it has, which is not there yet', async () => {
    const live = await leader(redis.url, { redisTimeout, automine: true });
    const between = await proxy();
    const other = await follower(between.urlOf(redis.url), { redisTimeout });
    const [from, to] = await live.call('eth_accounts');
    const before = await post(other.url, 'eth_sendTransaction', [{ from, to, value: '0x1' }]);
    expect([before.status, before.behind]).toEqual([200, null]);
    between.silence();
    // With the header it goes another way through the server.
    for (const [method, params, headers] of [
      ['eth_sendTransaction', [{ from, to, value: '0x1' }], {}],
      ['anvil_setBalance', [to, '0x7'], { 'devnet-position': before.position! }],
    ] as const) {
      const sent = await post(other.url, method, [...params], headers);
      const leads = (await live.call('devnet_status')).position;
      expect(sent).toMatchObject({ status: 200, position: leads, behind: before.position });
      expect(sent.body.error).toBeUndefined();
    }
    const { position } = await post(live.url, 'eth_blockNumber');
    const read = { 'devnet-position': position! };
    const refused = await post(other.url, 'eth_getBalance', [to, 'latest'], read);
    expect(refused).toMatchObject({ status: 503, position: before.position });
    between.speak();
    await agree(live, other);
    const answered = await post(other.url, 'eth_getBalance', [to, 'latest'], read);
    expect(answered).toMatchObject({ status: 200, body: { result: '0x7' }, behind: null });
  });

  test('ends a leader by time, before another one leads: there are never two', async () => {
    const between = await proxy();
    const timing = {
      manualClock: false,
      timestamp: undefined as never,
      blockTime: 1,
      flashblockInterval: 100,
      // Where nobody listens, so that the node which is promoted can't tell this one.
      advertise: 'http://127.0.0.1:9',
    };
    const live = await leader(between.urlOf(redis.url), { redisTimeout, ...timing });
    const other = await follower(redis.url, { redisTimeout });
    const [from, to] = await live.call('eth_accounts');
    await live.call('eth_sendTransaction', { from, to, value: '0x1' });
    between.silence();
    expect(await other.call('devnet_promote')).toMatchObject({ role: 'leader' });
    const frozen = await live.call('eth_getBlockByNumber', 'pending', false);
    expect((await health(live))[0]).toBe(503);
    for (const [method, ...params] of [
      ['eth_sendTransaction', { from, to, value: '0x2' }],
      ['evm_mine'],
      ['anvil_setBalance', to, '0x1'],
      ['evm_setAutomine', true],
    ] as const)
      await expect(live.call(method, ...params)).rejects.toMatchObject({
        code: -32000,
        message: expect.stringMatching(/has not reached Redis/),
      });
    const before = await other.call('eth_blockNumber');
    await eventually(async () => expect(await other.call('eth_blockNumber')).not.toBe(before), SOON);
    expect(await live.call('eth_getBlockByNumber', 'pending', false)).toEqual(frozen);
    const ended = expect(live.node.closed).rejects.toThrow('another node leads this chain now');
    between.speak();
    await ended;
  });

  test('does not let a follower forget how far the leader was when that ends', async () => {
    const { between, door, live, other } = await behindDoors();
    between.silence();
    await live.call('evm_mine');
    await eventually(async () => expect((await other.call('devnet_status')).waiting).toBe(1), SOON);
    // Nobody answers any more at the address of the leader, which is all that the follower sees of its end.
    await door.close();
    await eventually(
      async () => expect(await health(other)).toEqual([503, expect.stringMatching(/the leader is at 1-\d+/)]),
      SOON,
    );
    await new Promise((resolve) => setTimeout(resolve, redisTimeout));
    expect((await health(other))[0]).toBe(503);
  });

  test('of a leader that other nodes do not reach either makes followers say so when its lease is over', async () => {
    const { between, door, live, other } = await behindDoors();
    door.silence();
    between.silence();
    // Nobody hears of it.
    await live.call('evm_mine');
    await eventually(
      async () =>
        expect(await health(other)).toEqual([
          503,
          expect.stringMatching(/the leader does not answer, and its lease/),
        ]),
      SOON,
    );
    expect((await other.call('devnet_status')).problem).toMatch(/its lease is over/);
    // Where the connection is refused the leader has ended, and what it had not written with it.
    await door.close();
    await eventually(async () => expect(await health(other)).toEqual([200, 'ok\n']), SOON);
  });

  test('of such a leader ends for followers when they have what it made, which may be after its lease is back', async () => {
    const { between, door, address, live, other } = await behindDoors();
    door.silence();
    between.silence();
    await live.call('evm_mine');
    const made = positionOf((await live.call('devnet_status')).position)!;
    await eventually(async () => expect((await health(other))[0]).toBe(503), SOON);
    // The lease has a connection of its own to Redis, which comes back first here.
    const store = await LogStore.open(redis.url, BigInt(await other.call('eth_chainId')), redisTimeout);
    onTestFinished(() => store.close());
    const renew = () => store.renew(made.fence, { address, made: () => made });
    const renewing = setInterval(() => void renew(), redisTimeout / 4);
    try {
      await new Promise((resolve) => setTimeout(resolve, 2 * redisTimeout));
      expect(await health(other)).toEqual([
        503,
        expect.stringMatching(`the leader is at ${textOf(made)}, the log at ${made.fence}-${made.task - 1}`),
      ]);
    } finally {
      clearInterval(renewing);
    }
    between.speak();
    await agree(live, other);
    await eventually(async () => expect(await health(other)).toEqual([200, 'ok\n']), SOON);
  });

  test('takes no renewal of the lease for a new one that was asked before it', async () => {
    const store = await LogStore.open(redis.url, 31_337n, 200);
    onTestFinished(() => store.close());
    let task = 0;
    const renew = () => store.renew(1, { address: '', made: () => ({ fence: 1, task: ++task }) });
    expect([await renew(), await renew()]).toEqual([true, true]);
    const before = task;
    // Redis can't know how long the next one was on its way: it is asked again, for the position at that time.
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(await renew()).toBe(true);
    expect(task).toBe(before + 2);
    expect((await store.extent()).made).toEqual({ fence: 1, task });
  });

  test('is bridged by a leader that nobody has replaced: it makes blocks again', async () => {
    const between = await proxy();
    const timing = {
      manualClock: false,
      timestamp: undefined as never,
      blockTime: 1,
      flashblockInterval: 100,
    };
    const live = await leader(between.urlOf(redis.url), { redisTimeout, ...timing });
    const other = await follower(redis.url, { redisTimeout });
    between.silence();
    await eventually(async () => expect((await health(live))[0]).toBe(503), SOON);
    // What the leader has made, and couldn't write, isn't here: it is asked, and is ahead.
    await eventually(async () => expect((await health(other))[0]).toBe(503), SOON);
    expect((await other.call('devnet_status')).waiting).toBeGreaterThan(0);
    between.speak();
    await eventually(async () => expect(await health(live)).toEqual([200, 'ok\n']), SOON);
    const before = await live.call('eth_blockNumber');
    await eventually(async () => expect(await live.call('eth_blockNumber')).not.toBe(before), SOON);
    await eventually(async () => expect(await health(other)).toEqual([200, 'ok\n']), SOON);
    const hash = (await live.call('eth_getBlockByNumber', before, false)).hash;
    await eventually(
      async () => expect((await other.call('eth_getBlockByNumber', before, false)).hash).toBe(hash),
      SOON,
    );
    expect(live.lines).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^this node makes no blocks/),
        expect.stringMatching(/^this node makes blocks again/),
      ]),
    );
  });
});
