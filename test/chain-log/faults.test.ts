import { describe, expect, test } from 'vitest';
import { eventually } from '../eventually.ts';
import { HAS_REDIS, useRedis } from '../redis-server.ts';
import { agree, cleanAfterEachTest, follower, leader } from './nodes.ts';

const redis = useRedis({ keeps: true });
cleanAfterEachTest(redis);

describe.skipIf(!HAS_REDIS)('a chain in Redis goes on', () => {
  test('while Redis is away, and followers come after it', async () => {
    const live = await leader(redis.url);
    const other = await follower(redis.url);
    const [from, to] = await live.call('eth_accounts');
    await live.call('devnet_seal');
    await agree(live, other);
    await redis.kill();
    for (let block = 0; block < 3; block++) {
      await live.call('eth_sendTransaction', { from, to, value: '0x1' });
      await live.call('devnet_seal');
    }
    expect(await live.call('eth_blockNumber')).toBe('0x4');
    expect(await other.call('eth_blockNumber')).toBe('0x1');
    expect((await live.call('devnet_status')).waiting).toBeGreaterThan(0);
    await redis.start();
    await agree(live, other);
    await eventually(() =>
      expect([live.lines.at(-1), other.lines.at(-1)]).toEqual(['Redis is back', 'Redis is back']),
    );
    expect(live.lines).toEqual(['Redis is away: blocks go on, followers wait', 'Redis is back']);
    expect(other.lines).toEqual(['Redis is away: this chain waits for its log', 'Redis is back']);
  });

  test('from its last logged task when a follower is promoted, which the others follow', async () => {
    const live = await leader(redis.url, { blockTime: 1, flashblockInterval: 100 });
    const [one, two] = [await follower(redis.url), await follower(redis.url)];
    const [from, to] = await live.call('eth_accounts');
    await live.call('devnet_seal');
    // Pre-confirmed, and waiting.
    const shown = await live.call('eth_sendTransaction', { from, to, value: '0x1' });
    await live.call('devnet_tick');
    const waits = await live.call('eth_sendTransaction', { from, to, value: '0x2' });
    const pending = await live.call('eth_getBlockByNumber', 'pending', true);
    await agree(live, one, two);
    await expect(one.call('devnet_promote')).rejects.toThrow(`${live.url} leads this chain`);
    await live.node.close();
    expect(await one.call('devnet_promote')).toMatchObject({ role: 'leader', leader: one.url });
    const sent = await two.call('eth_sendTransaction', { from: to, to: from, value: '0x3' });
    for (const hash of [shown, waits, sent])
      await eventually(
        async () =>
          expect(await two.call('eth_getTransactionReceipt', hash)).toMatchObject({ status: '0x1' }),
        { timeout: 10_000 },
      );
    const block = await two.call('eth_getBlockByNumber', '0x2', true);
    expect(block.transactions[0].hash).toBe(shown);
    expect(block.parentHash).toBe(pending.parentHash);
    expect(await one.call('eth_getBlockByNumber', '0x2', true)).toEqual(
      await eventually(async () => {
        const sealed = await two.call('eth_getBlockByNumber', '0x2', true);
        expect(sealed.hash).toBe((await one.call('eth_getBlockByNumber', '0x2', true)).hash);
        return sealed;
      }),
    );
    expect(await two.call('devnet_status')).toMatchObject({ role: 'follower', leader: one.url });
  });

  test('when its leader is started again', async () => {
    const live = await leader(redis.url, { seed: 'own' });
    const [from, to] = await live.call('eth_accounts');
    await live.call('devnet_seal');
    const hash = await live.call('eth_sendTransaction', { from, to, value: '0x1' });
    const first = await live.call('eth_getBlockByNumber', '0x1', true);
    await live.node.close();
    const clock = { manualClock: false, timestamp: undefined as never, newLog: false };
    await expect(leader(redis.url, { ...clock, seed: 'other' })).rejects.toThrow('began with other options');
    for (const options of [{ seed: 'own' }, {}]) {
      const again = await leader(redis.url, { ...clock, ...options });
      expect(await again.call('eth_getBlockByNumber', '0x1', true)).toEqual(first);
      expect((await again.call('devnet_status')).role).toBe('leader');
      await eventually(
        async () =>
          expect(await again.call('eth_getTransactionReceipt', hash)).toMatchObject({ status: '0x1' }),
        { timeout: 10_000 },
      );
      await again.node.close();
    }
  });
});
