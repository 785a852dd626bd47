import { describe, expect, test } from 'vitest';
import { LogStore } from '../../src/chain-log/log-store.ts';
import { encodeLine } from '../../src/recorder/lines.ts';
import { eventually } from '../eventually.ts';
import { HAS_REDIS, useRedis } from '../redis-server.ts';
import { agree, cleanAfterEachTest, follower, leader, untilSnapshot } from './nodes.ts';

const redis = useRedis();
cleanAfterEachTest(redis);

const CLOCK = { manualClock: false, timestamp: undefined as never, newLog: false };

describe.skipIf(!HAS_REDIS)('a follower that came late', () => {
  test('goes back with the leader to a snapshot from before it came, in automine', async () => {
    const live = await leader(redis.url, { automine: true, snapshotInterval: 3 });
    const early = await follower(redis.url);
    const [from, to] = await live.call('eth_accounts');
    const send = () => live.call('eth_sendTransaction', { from, to, value: '0x1' });
    await send();
    await live.call('anvil_setBalance', to, '0x64');
    const id = await live.call('evm_snapshot');
    await untilSnapshot(redis.url, live, send);
    const late = await follower(redis.url);
    expect(await live.call('evm_revert', id)).toBe(true);
    await agree(live, early, late);
    for (const one of [live, early, late]) {
      expect(await one.call('eth_blockNumber')).toBe('0x1');
      expect(await one.call('eth_getBalance', to)).toBe('0x64');
      expect(await one.call('eth_getTransactionCount', from)).toBe('0x1');
    }
    expect([...early.lines, ...late.lines]).toEqual([]);
  });

  test('goes back with the leader to an open block that had transactions', async () => {
    const live = await leader(redis.url, { snapshotInterval: 2 });
    const early = await follower(redis.url);
    const [from, to] = await live.call('eth_accounts');
    await live.call('anvil_impersonateAccount', to);
    await live.call('eth_sendTransaction', { from: to, to: from, value: '0x1' });
    await live.call('devnet_tick');
    await live.call('eth_sendTransaction', { from, to, nonce: '0x5' });
    const id = await live.call('evm_snapshot');
    const pending = await live.call('eth_getBlockByNumber', 'pending', false);
    expect(pending.transactions).toHaveLength(1);
    await untilSnapshot(redis.url, live, () => live.call('devnet_seal'));
    const late = await follower(redis.url);
    expect(await live.call('evm_revert', id)).toBe(true);
    await agree(live, early, late);
    expect((await late.call('eth_getBlockByNumber', 'pending', false)).transactions).toEqual(
      pending.transactions,
    );
    await live.call('devnet_seal');
    await agree(live, early, late);
  });

  test('goes back as the next leader, and so do the early followers', async () => {
    const live = await leader(redis.url, { automine: true, snapshotInterval: 3 });
    const early = await follower(redis.url);
    const id = await live.call('evm_snapshot');
    await untilSnapshot(redis.url, live, () => live.call('evm_mine'));
    const late = await follower(redis.url);
    await live.node.close();
    await late.call('devnet_promote');
    await late.call('evm_mine');
    expect(await late.call('evm_revert', id)).toBe(true);
    await eventually(async () => expect(await early.call('eth_blockNumber')).toBe('0x0'));
    expect(await late.call('eth_blockNumber')).toBe('0x0');
    await late.call('evm_mine');
    await eventually(async () =>
      expect(await early.call('eth_getBlockByNumber', '0x1', false)).toEqual(
        await late.call('eth_getBlockByNumber', '0x1', false),
      ),
    );
  });

  test('has a chain whose old blocks were removed, and the leader goes on with it', async () => {
    const options = { pruneHistory: 5, snapshotInterval: 5, automine: true };
    const live = await leader(redis.url, options);
    const [from, to] = await live.call('eth_accounts');
    const send = () => live.call('eth_sendTransaction', { from, to, value: '0x1' });
    const genesis = await live.call('eth_getBlockByNumber', '0x0', true);
    // The blocks that are hidden are removed some time later.
    for (let block = 0; block < 60; block++) await send();
    for (let round = 0; round < 3; round++) await untilSnapshot(redis.url, live, send);
    const late = await follower(redis.url);
    await agree(live, late);
    const first = `0x${(Number(await live.call('eth_blockNumber')) - 4).toString(16)}`;
    for (const tag of ['0x0', '0x1', first, 'earliest'])
      expect(await late.call('eth_getBlockByNumber', tag, true)).toEqual(
        await live.call('eth_getBlockByNumber', tag, true),
      );
    expect(await late.call('eth_getBlockByNumber', '0x0', true)).toEqual(genesis);
    await live.node.close();
    const again = await leader(redis.url, { ...CLOCK, ...options, automine: true });
    expect(await again.call('eth_getBalance', to)).toBe(await late.call('eth_getBalance', to));
    await again.call('eth_sendTransaction', { from, to, value: '0x1' });
    await eventually(async () =>
      expect(await late.call('eth_getBlockByNumber', 'latest', true)).toEqual(
        await again.call('eth_getBlockByNumber', 'latest', true),
      ),
    );
    await again.call('anvil_reset');
    await again.call('eth_sendTransaction', { from, to, value: '0x1' });
    await eventually(async () =>
      expect(await late.call('eth_getBlockByNumber', '0x1', true)).toEqual(
        await again.call('eth_getBlockByNumber', '0x1', true),
      ),
    );
    expect(late.lines).toEqual([]);
  });
});

describe.skipIf(!HAS_REDIS)('the log of a chain', () => {
  test('ends a follower whose head differs after a call, and names the call', async () => {
    const live = await leader(redis.url, { automine: true });
    const other = await follower(redis.url);
    await live.call('evm_snapshot');
    await live.call('evm_mine');
    const ended = expect(other.node.closed).rejects.toThrow(
      /^this chain differs from the leader's: head 0, number: expected 0, got 1, after task \d+-\d+ of the log \(evm_revert \["0x7"\]\)$/,
    );
    await eventually(async () => expect((await live.call('devnet_status')).waiting).toBe(0));
    const store = await LogStore.open(redis.url, 31337n);
    const last = await store.last();
    // A revert of the leader to a snapshot that only that has.
    const hash = `0x${'00'.repeat(32)}`;
    const lines = [
      { call: 'evm_revert', params: ['0x7'], at: 0 },
      { reached: { number: '0', hash, stateRoot: hash } },
    ];
    await store.append(
      { position: { ...last, task: last.task + 1 }, at: 0, tasks: [lines.map(encodeLine)] },
      last,
    );
    store.redis.destroy();
    await ended;
  });
});
