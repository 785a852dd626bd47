import { describe, expect, test, vi } from 'vitest';
import { LogStore } from '../../src/chain-log/log-store.ts';
import { encodeLine } from '../../src/recorder/lines.ts';
import { HAS_REDIS, useRedis } from '../redis-server.ts';
import { cleanAfterEachTest, follower, leader } from './nodes.ts';

const redis = useRedis();
cleanAfterEachTest(redis);

describe.skipIf(!HAS_REDIS)('the log of a chain', () => {
  test('ends a follower whose head differs after a call, and names the call', async () => {
    const live = await leader(redis.url, { automine: true });
    const other = await follower(redis.url);
    await live.call('evm_snapshot');
    await live.call('evm_mine');
    const ended = expect(other.node.closed).rejects.toThrow(
      /^this chain differs from the leader's: head 0, number: expected 0, got 1, after task \d+-\d+ of the log \(evm_revert \["0x7"\]\)$/,
    );
    await vi.waitFor(async () => expect((await live.call('devnet_status')).waiting).toBe(0));
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
