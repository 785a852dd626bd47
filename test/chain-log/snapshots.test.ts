import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { LogStore } from '../../src/chain-log/log-store.ts';
import type { DevnetOptions } from '../../src/index.ts';
import { eventually } from '../eventually.ts';
import { HAS_REDIS, useRedis } from '../redis-server.ts';
import { SilentProxy } from '../silent-proxy.ts';
import { agree, cleanAfterEachTest, follower, leader, type Shared, untilSnapshot } from './nodes.ts';

const redis = useRedis();
cleanAfterEachTest(redis);
const dirs = [0, 1].map(() => mkdtempSync(join(tmpdir(), 'devnet-snapshots-')));
const [dir, other] = dirs as [string, string];
afterAll(() => {
  for (const path of dirs) rmSync(path, { recursive: true, force: true });
});

const STRANGER = `0x${'5e'.repeat(20)}`;

/** Some of everything that a snapshot has to keep. */
async function use(live: Shared, round: number): Promise<void> {
  const [from, to] = await live.call('eth_accounts');
  const send = (more: object) => live.call('eth_sendTransaction', { from, to, value: '0x1', ...more });
  if (round === 0) {
    await live.call('anvil_setBalance', STRANGER, '0xde0b6b3a7640000');
    await live.call('anvil_impersonateAccount', STRANGER);
    await live.call('evm_increaseTime', 1000);
    await live.call('anvil_setMinGasPrice', '0x2');
    await live.call('anvil_setCoinbase', STRANGER);
    await live.call('anvil_setChainId', 777);
    await live.call('anvil_setBlockTimestampInterval', 9);
    expect(await live.call('evm_snapshot')).toBe('0x1');
    // Waits behind a gap.
    await send({ from: to, nonce: '0x9' });
  }
  await send({});
  await live.call('anvil_setNonce', `0x${'77'.repeat(20)}`, `0x${(round + 1).toString(16)}`);
}

describe.skipIf(!HAS_REDIS)('a follower that starts from a snapshot', () => {
  test.each<[string, DevnetOptions]>([
    ['with partial blocks', {}],
    ['in a directory', { snapshotDir: dir }],
    ['with a block per transaction', { automine: true }],
    ['with a block each second', { blockTime: 1, flashblockInterval: 0 }],
    ['with both', { mixedMining: true, blockTime: 3, flashblockInterval: 300 }],
    ['on demand', { noMining: true }],
  ])('is the same node, %s', async (_what, options) => {
    const live = await leader(redis.url, { snapshotInterval: 3, ...options });
    const own = options.snapshotDir === undefined ? {} : { snapshotDir: options.snapshotDir };
    const early = await follower(redis.url, own);
    const seal = () => (options.noMining ? live.call('evm_mine') : live.call('devnet_seal'));
    for (let round = 0; round < 2; round++) {
      await use(live, round);
      await untilSnapshot(redis.url, live, seal);
    }
    const late = await follower(redis.url, own);
    await agree(live, early, late);
    // It has the old states, too, and all that comes is the same.
    for (const tag of ['0x0', '0x1', '0x2', 'latest'])
      expect(await late.call('eth_getBalance', STRANGER, tag)).toBe(
        await live.call('eth_getBalance', STRANGER, tag),
      );
    const id = await live.call('evm_snapshot');
    await use(live, 2);
    const [from] = await live.call('eth_accounts');
    await live.call('eth_sendTransaction', { from: STRANGER, to: from, value: '0x1' });
    for (let block = 0; block < 3; block++) await seal();
    await agree(live, early, late);
    await live.call('evm_revert', id);
    await live.call('devnet_reorg', 1).catch(() => {});
    await seal();
    await agree(live, early, late);
    // To a snapshot from before it came.
    expect(await live.call('evm_revert', '0x1')).toBe(true);
    await agree(live, early, late);
    await seal();
    await agree(live, early, late);
    await live.call('anvil_reset');
    await seal();
    await agree(live, early, late);
    expect([...early.lines, ...late.lines]).toEqual([]);
  });

  test('has the log from the oldest kept snapshot on, and no older one is kept', async () => {
    const live = await leader(redis.url, { snapshotInterval: 1, snapshotDir: other, automine: true });
    const mine = () => live.call('evm_mine');
    for (let i = 0; i < 4; i++) await untilSnapshot(redis.url, live, mine);
    const store = await LogStore.open(redis.url, 31337n);
    const [oldest, newest] = await eventually(async () => {
      const snapshots = await store.snapshots();
      // They share the parts that they have in common.
      const names = new Set(snapshots.flatMap(({ name, parts }) => [name, ...parts]));
      expect(readdirSync(other).sort()).toEqual([...names].sort());
      expect(snapshots).toHaveLength(2);
      return snapshots;
    });
    const reader = store.redis.duplicate();
    await reader.connect();
    const [first] = await store.read(reader, { fence: 0, task: 0 });
    expect(first!.position.task).toBeGreaterThanOrEqual(oldest!.position.task);
    expect(newest!.position.task).toBeGreaterThan(oldest!.position.task);
    reader.destroy();
    store.redis.destroy();
    await agree(live, await follower(redis.url, { snapshotDir: other }));
  });

  test('is not what a follower needs that missed some tasks while the first one was taken', async () => {
    const live = await leader(redis.url, { snapshotInterval: 1, automine: true });
    const between = await SilentProxy.before(redis.url);
    onTestFinished(() => between.close());
    const slow = await follower(between.urlOf(redis.url));
    between.silence();
    await untilSnapshot(redis.url, live, () => live.call('evm_mine'));
    between.speak();
    await agree(live, slow);
  });

  test('takes the next one when the log was trimmed before it had read it', async () => {
    const live = await leader(redis.url, { snapshotInterval: 1, automine: true });
    const mine = () => live.call('evm_mine');
    await untilSnapshot(redis.url, live, mine);
    const between = await SilentProxy.before(redis.url);
    onTestFinished(() => between.close());
    // The connection by which it reads the log is made when it has read the snapshot.
    const reads = new Promise<void>((resolve) => {
      between.onConnection = (count) => {
        if (count < 2) return;
        between.silence();
        resolve();
      };
    });
    const coming = follower(between.urlOf(redis.url));
    await reads;
    between.onConnection = undefined;
    // Two are kept.
    for (let i = 0; i < 3; i++) await untilSnapshot(redis.url, live, mine);
    between.speak();
    const late = await coming;
    expect(late.start).toContainEqual(expect.stringMatching(/^the log was trimmed beyond 1-\d+ while/));
    await agree(live, late);
  });

  test('can become the leader', async () => {
    const live = await leader(redis.url, { snapshotInterval: 2, blockTime: 1, flashblockInterval: 100 });
    await use(live, 0);
    await untilSnapshot(redis.url, live, () => live.call('devnet_seal'));
    const hash = await live.call('eth_sendTransaction', {
      from: STRANGER,
      to: STRANGER,
      value: '0x1',
    });
    const late = await follower(redis.url);
    await agree(live, late);
    await live.node.close();
    await late.call('devnet_promote');
    await eventually(
      async () => expect(await late.call('eth_getTransactionReceipt', hash)).toMatchObject({ status: '0x1' }),
      { timeout: 10_000 },
    );
  });

  test('goes on after Redis lost the log, and so do those that had it', async () => {
    const live = await leader(redis.url, { automine: true });
    const early = await follower(redis.url);
    await live.call('evm_mine');
    await agree(live, early);
    await redis.kill();
    await live.call('evm_mine');
    // What it had isn't there any more.
    await redis.start();
    const store = await LogStore.open(redis.url, 31337n);
    await eventually(async () => expect(await store.snapshots()).toHaveLength(1), { timeout: 15_000 });
    store.redis.destroy();
    expect((await live.call('devnet_status')).cuts).toBe(1);
    await live.call('evm_mine');
    await agree(live, early, await follower(redis.url));
    expect(early.lines.filter((line) => !/^Redis is (away|back)/.test(line))).toEqual([]);
  });

  test('is what one that runs has to do when the log was trimmed before it had read it', async () => {
    const live = await leader(redis.url, { snapshotInterval: 1, automine: true });
    const mine = () => live.call('evm_mine');
    const between = await SilentProxy.before(redis.url);
    onTestFinished(() => between.close());
    const slow = await follower(between.urlOf(redis.url));
    const ended = expect(slow.node.closed).rejects.toThrow('tasks between are lost');
    between.silence();
    for (let i = 0; i < 3; i++) await untilSnapshot(redis.url, live, mine);
    between.speak();
    await ended;
  });
});
