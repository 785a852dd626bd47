import { expect, test } from 'vitest';
import { acquireLease, Lease } from '../../src/chain-log/lease.ts';
import { LeaseHeld, type LogStore } from '../../src/chain-log/log-store.ts';
import { type Position, textOf } from '../../src/chain-log/position.ts';
import { ManualClock } from '../../src/clock.ts';

const LEASE_MS = 1_000;

/** The lease as Redis keeps it. */
function fake(clock: ManualClock) {
  const listeners = { ready: () => {}, refused: () => {} };
  const redis = {
    fence: 0,
    released: 0,
    end: 0,
    address: '',
    made: '',
    /** what Redis does with a renewal */
    fails: undefined as Error | undefined,
    refuse: () => listeners.refused(),
    renew(fence: number) {
      if (redis.fence > fence) return false;
      redis.end = clock.now() + LEASE_MS;
      return true;
    },
  };
  const store = {
    leaseMs: LEASE_MS,
    async acquire(_address: string, { ranOut }: { ranOut: boolean }) {
      if (redis.fails) throw redis.fails;
      if (redis.end > clock.now()) throw new LeaseHeld('http://other', redis.end - clock.now());
      if (redis.fence > 0 && redis.released !== redis.fence && !ranOut) throw new LeaseHeld('', 0);
      redis.end = clock.now() + LEASE_MS;
      return ++redis.fence;
    },
    async renew(fence: number, { address, made }: { address: string; made: () => Position }) {
      if (redis.fails) throw redis.fails;
      Object.assign(redis, { address, made: textOf(made()) });
      return redis.renew(fence);
    },
    async release(fence: number) {
      redis.released = fence;
      redis.end = 0;
    },
    onLease(listening: typeof listeners) {
      Object.assign(listeners, listening);
      return { [Symbol.dispose]: () => {} };
    },
  };
  return { redis, store: store as unknown as LogStore };
}

async function settle(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await Promise.resolve();
}

/** Moves time on in steps, in which what waits for it begins. */
async function pass(clock: ManualClock, ms: number): Promise<void> {
  for (let at = 0; at < ms; at += 50) {
    await clock.advance(50);
    await settle();
  }
}

async function held() {
  const clock = new ManualClock();
  const { redis, store } = fake(clock);
  const told: string[] = [];
  const own = { made: { fence: 1, task: 0 } };
  const lease = new Lease(await acquireLease({ address: '', known: 0 }, { store, clock }), '', {
    store,
    clock,
    made: () => own.made,
    onSuperseded: () => told.push('superseded'),
    onAnswer: (refused) => refused !== undefined && told.push('refused'),
    onHalt: () => told.push('halts'),
    onResume: () => told.push('resumes'),
  });
  return { clock, redis, store, lease, own, told };
}

test('a lease knows for how long it was not renewed, whatever else Redis answers', async () => {
  const { clock, redis, lease } = await held();
  await pass(clock, LEASE_MS / 4);
  expect(lease.age).toBe(0);
  redis.fails = new Error('no connection');
  await pass(clock, 3 * LEASE_MS);
  expect([lease.isHeld, lease.age]).toEqual([false, 3 * LEASE_MS]);
});

test('each renewal says how far the leader is', async () => {
  const { clock, redis, own } = await held();
  await pass(clock, LEASE_MS / 4);
  expect(redis.made).toBe('1-0');
  own.made = { fence: 1, task: 7 };
  await pass(clock, LEASE_MS / 4);
  expect(redis.made).toBe('1-7');
});

test('a lease that was given back is given at once, one that ran out after its whole time again', async () => {
  const clock = new ManualClock();
  const { redis, store } = fake(clock);
  expect(await acquireLease({ address: '', known: 0 }, { store, clock })).toEqual({ fence: 1, at: 0 });
  await store.release(1);
  expect(await acquireLease({ address: '', known: 0 }, { store, clock })).toEqual({ fence: 2, at: 0 });
  // A leader that was killed long ago, or whose Redis was away meanwhile.
  await clock.advance(10 * LEASE_MS);
  const begun = clock.now();
  const acquired = acquireLease({ address: '', known: 0 }, { store, clock });
  await pass(clock, LEASE_MS + 500);
  const { fence, at } = await acquired;
  expect([fence, redis.fence]).toEqual([3, 3]);
  expect(at - begun).toBeGreaterThanOrEqual(LEASE_MS);
});

test('a lease that the candidate sees run out is given then; one that is renewed, or begun again, is not', async () => {
  for (const [wait, renewed] of [
    [0, undefined],
    [0, 600],
    [5 * LEASE_MS, 600],
  ] as const) {
    const clock = new ManualClock();
    const { redis, store } = fake(clock);
    await acquireLease({ address: '', known: 0 }, { store, clock });
    await pass(clock, wait);
    const acquired = acquireLease({ address: '', known: 0 }, { store, clock }).then(
      ({ fence }) => fence,
      (error) => error,
    );
    await pass(clock, renewed ?? 0);
    if (renewed !== undefined) redis.renew(1);
    await pass(clock, 2 * LEASE_MS);
    expect(await acquired).toEqual(renewed === undefined ? 2 : expect.any(LeaseHeld));
  }
});

test('a leader that can not renew its lease stops before the lease ends in Redis, and goes on when it is renewed', async () => {
  const { clock, redis, lease, told } = await held();
  await pass(clock, 5 * LEASE_MS);
  expect([lease.isHeld, told]).toEqual([true, []]);
  redis.fails = new Error('Socket timeout timeout.');
  const end = redis.end;
  while (lease.isHeld) await clock.advance(10);
  expect(clock.now()).toBeLessThan(end);
  expect(told).toEqual(['halts']);
  let isResumed = false;
  void lease.held().then(() => {
    isResumed = true;
  });
  await pass(clock, 5 * LEASE_MS);
  expect(isResumed).toBe(false);
  redis.fails = undefined;
  await pass(clock, LEASE_MS);
  expect([lease.isHeld, isResumed, told]).toEqual([true, true, ['halts', 'resumes']]);
});

test.each([
  ['nobody listens at the address of Redis', undefined],
  ['Redis has no memory left', "OOM command not allowed when used memory > 'maxmemory'."],
  ['Redis can not write to its disk', 'MISCONF Errors writing to the AOF file: No space left on device'],
  [
    'Redis can not write, told by version 6',
    'ERR Error running script (call to f_1): @user_script:5: -MISCONF Errors',
  ],
])('a leader goes on while nobody can replace it: %s', async (_what, refusal) => {
  const { clock, redis, lease } = await held();
  redis.fails = new Error(refusal ?? 'Socket closed unexpectedly');
  for (let i = 0; i < 50; i++) {
    if (refusal === undefined) redis.refuse();
    await pass(clock, 200);
    expect(lease.isHeld).toBe(true);
  }
});

test.each([
  'WRONGTYPE Operation against a key',
  'NOPERM this user has no permissions',
  'READONLY You can not write',
])('a refusal that may be for this node alone ends the lease: %s', async (refusal) => {
  const { clock, redis, lease, told } = await held();
  redis.fails = new Error(refusal);
  await pass(clock, 2 * LEASE_MS);
  expect(lease.isHeld).toBe(false);
  expect(told).toContain('refused');
});

test('a lease that is over is not held again by a refusal: another leader may have begun before', async () => {
  const { clock, redis, lease, told } = await held();
  redis.fails = new Error('Socket timeout timeout.');
  await pass(clock, 2 * LEASE_MS);
  redis.refuse();
  redis.fails = new Error('OOM command not allowed');
  await pass(clock, LEASE_MS);
  expect(lease.isHeld).toBe(false);
  redis.fence = 2;
  redis.fails = undefined;
  const waiting = expect(lease.held()).rejects.toThrow('leads the chain no more');
  await pass(clock, LEASE_MS);
  await waiting;
  expect(told.at(-1)).toBe('superseded');
});

test('a leader whose Redis is silent when it begins to listen starts all the same, and is found by the next renewal', async () => {
  const { clock, redis, lease, told } = await held();
  redis.fails = new Error("Socket timeout timeout. Expecting data, but didn't receive any in 3000ms.");
  await lease.moveTo('http://127.0.0.1:8545');
  redis.fails = undefined;
  await pass(clock, LEASE_MS);
  expect([redis.address, lease.isHeld, told]).toEqual(['http://127.0.0.1:8545', true, []]);
  await lease.moveTo('http://127.0.0.1:8546');
  expect(redis.address).toBe('http://127.0.0.1:8546');
});
