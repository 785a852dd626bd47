import { expect, it } from 'vitest';
import { liveNode, subscriber } from '../live-node.ts';

it('devnet_status tells what the node is and does', async () => {
  const live = await liveNode();
  await live.send();
  const client = await subscriber(live.url);
  await client.subscribe('newHeads');
  const before = await live.call('devnet_status');
  expect(before).toMatchObject({
    role: 'sequencer',
    chainId: '0x7a69',
    mode: { kind: 'interval', blockTime: 2000, flashblockInterval: 200, manualClock: true },
    head: { number: '0x0' },
    flashblock: { index: 0 },
    ticks: { ticks: 0, recent: [] },
    mempool: 1,
    timeMoved: 0,
    impersonated: { accounts: [], all: false },
    subscriptions: 1,
    recording: false,
  });
  await live.tick();
  await live.tick();
  const after = await live.call('devnet_status');
  expect(after.ticks.recent).toHaveLength(2);
  expect(after.ticks.recent[1].length).toBeGreaterThanOrEqual(0);
  expect(after.mempool).toBe(0);
  const { hash } = await live.call('eth_getBlockByNumber', 'pending', false);
  expect(after.flashblock).toEqual({ payloadId: before.flashblock.payloadId, index: 2, hash });
  expect(after.instanceId).toBe((await live.call('anvil_metadata')).instanceId);
  expect(after.memory.rss).toBeGreaterThan(after.memory.heapUsed / 2);
  await live.close();
});

it('devnet_status tells what dev methods have set', async () => {
  const live = await liveNode();
  const [first, second] = [`0x${'a1'.repeat(20)}`, `0x${'a2'.repeat(20)}`];
  await live.call('anvil_impersonateAccount', first);
  await live.call('anvil_impersonateAccount', second);
  await live.call('evm_increaseTime', 3_600);
  await live.call('evm_increaseTime', '0x3c');
  expect(await live.call('devnet_status')).toMatchObject({
    timeMoved: 3_660,
    impersonated: { accounts: [first, second], all: false },
  });
  await live.call('anvil_stopImpersonatingAccount', first);
  await live.call('anvil_autoImpersonateAccount', true);
  expect((await live.call('devnet_status')).impersonated).toEqual({ accounts: [second], all: true });
  await live.close();
});

it('the newest ticks are the last ones of devnet_status', async () => {
  const live = await liveNode();
  await live.call('devnet_tick', 30_000);
  const { ticks } = await live.call('devnet_status');
  expect([ticks.ticks, ticks.recent.length]).toEqual([150, 100]);
  await live.close();
});
