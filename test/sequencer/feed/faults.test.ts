import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { listen, liveNode, subscriber, topic } from '../../live-node.ts';
import type { Wire } from '../../wire.ts';

describe('failures on demand', () => {
  let live: Awaited<ReturnType<typeof liveNode>>;
  beforeEach(async () => {
    live = await liveNode();
    await live.seal();
  });
  afterEach(() => live.close());

  const block = (tag: string): Promise<Wire> => live.call('eth_getBlockByNumber', tag, false);
  const receipt = (hash: string): Promise<Wire> => live.call('eth_getTransactionReceipt', hash);
  const stream = () => listen(`${live.url}/flashblocks`);
  const places = (messages: Wire[]) => messages.map(({ index, diff }) => [index, diff.transactions.length]);

  test('a dropped pre-confirmed transaction is gone, and its dependents wait for its nonce', async () => {
    const { first, second } = live.accounts;
    const dropped = await live.send(first);
    await live.tick();
    const dependent = await live.send(first);
    const other = await live.send(second);
    await live.tick();
    const reader = await stream();
    expect(await live.call('devnet_dropPreconfirmed', dropped)).toBe(true);
    expect(await receipt(dropped)).toBeNull();
    expect(await receipt(dependent)).toBeNull();
    expect(await receipt(other)).toMatchObject({ transactionIndex: '0x0' });
    expect((await block('pending')).transactions).toEqual([other]);
    expect(await live.call('eth_getTransactionCount', first, 'pending')).toBe('0x0');
    // The account's nonce is free again: with it the dependent follows.
    const instead = await live.send(first, { nonce: '0x0' });
    await live.seal();
    expect((await block('latest')).transactions).toEqual([other, instead, dependent]);
    const messages = await reader.take(2);
    expect(places(messages)).toEqual([
      [0, 0],
      [1, 1],
    ]);
    expect(messages[0].base).toBeDefined();
    const all = [...messages, ...(await reader.rest())];
    const sealed = all.findIndex(({ index }, i) => i > 0 && index === 0);
    const own = all.slice(0, sealed);
    expect(new Set(own.map(({ payload_id }) => payload_id)).size).toBe(1);
    expect(own.map(({ index }) => index)).toEqual(own.map((_, i) => i));
    expect(own.flatMap(({ diff }) => diff.transactions)).toHaveLength(3);
    expect(own.at(-1).diff.block_hash).toBe((await block('latest')).hash);
  });

  test('a failed pre-confirmed transaction is replaced by one of its nonce that fails', async () => {
    const { first } = live.accounts;
    const good = await live.send(first);
    const later = await live.send(first);
    await live.tick();
    const failing = await live.call('devnet_failPreconfirmed', good);
    expect(await receipt(good)).toBeNull();
    expect(await receipt(failing)).toMatchObject({ status: '0x0', from: first, transactionIndex: '0x0' });
    expect(await receipt(later)).toMatchObject({ status: '0x1', transactionIndex: '0x1' });
    expect(await live.call('eth_getTransactionCount', first, 'pending')).toBe('0x2');
    await live.seal();
    expect((await block('latest')).transactions).toEqual([failing, later]);
  });

  test('only a pre-confirmed transaction can be dropped or failed', async () => {
    const sealed = await live.send();
    await live.seal();
    const waiting = await live.send();
    for (const hash of [sealed, waiting, topic(1)]) {
      await expect(live.call('devnet_dropPreconfirmed', hash)).rejects.toMatchObject({ code: -32000 });
      await expect(live.call('devnet_failPreconfirmed', hash)).rejects.toMatchObject({ code: -32000 });
    }
  });

  test('a reorg puts the transactions into other blocks of the same height', async () => {
    const { first, second } = live.accounts;
    const one = await live.send(first);
    await live.seal();
    const two = await live.send(first);
    await live.seal();
    const before = [await block('0x2'), await block('0x3')];
    const early = await live.send(second);
    await live.tick();
    expect(await receipt(early)).toMatchObject({ blockNumber: '0x4' });

    expect(await live.call('devnet_reorg', 2)).toBe(true);
    const after = [await block('0x2'), await block('0x3')];
    expect((await block('latest')).hash).toBe(after[1].hash);
    expect(after[1].parentHash).toBe(after[0].hash);
    expect(after[0].hash).not.toBe(before[0].hash);
    expect(after.map(({ timestamp }) => timestamp)).toEqual(before.map(({ timestamp }) => timestamp));
    expect(new Set(after[0].transactions)).toEqual(new Set([one, two, early]));
    expect(await live.call('eth_getBlockByHash', before[1].hash, false)).toBeNull();
    expect(await block('pending')).toMatchObject({
      number: '0x4',
      parentHash: after[1].hash,
      transactions: [],
    });
    const next = await live.send(first);
    await live.seal();
    expect((await block('latest')).transactions).toEqual([next]);
    expect(await live.call('eth_getTransactionCount', first, 'latest')).toBe('0x3');
  });

  test('a reorg without the transactions frees their nonces', async () => {
    const { first } = live.accounts;
    const lost = await live.send(first);
    await live.seal();
    await live.call('devnet_reorg', 1, { reinclude: false });
    expect(await receipt(lost)).toBeNull();
    expect(await live.call('eth_getTransactionCount', first, 'pending')).toBe('0x0');
    expect((await block('latest')).transactions).toEqual([]);
    const again = await live.send(first);
    await live.tick();
    expect(await receipt(again)).toMatchObject({ status: '0x1' });
    expect(again).not.toBe(lost);
  });

  test('a reorg deeper than the chain is refused and changes nothing', async () => {
    const { hash } = await block('latest');
    await expect(live.call('devnet_reorg', 9)).rejects.toMatchObject({ code: -32602 });
    expect((await block('latest')).hash).toBe(hash);
    const sent = await live.send();
    await live.tick();
    expect(await receipt(sent)).toMatchObject({ status: '0x1' });
  });

  test('newHeads follow a reorg', async () => {
    await live.seal();
    const reader = await subscriber(live.url);
    await reader.subscribe('newHeads');
    await live.call('devnet_reorg', 2);
    const heads = await reader.take(2);
    expect(heads.map(({ number }: Wire) => number)).toEqual(['0x1', '0x2']);
    expect(heads[1].hash).toBe((await block('latest')).hash);
  });

  test('held flashblocks come late, in one', async () => {
    const reader = await stream();
    await live.call('devnet_holdFlashblocks', 500);
    const hash = await live.send();
    await live.tick(400);
    expect(await receipt(hash)).toBeNull();
    await live.tick(200);
    expect(await receipt(hash)).toMatchObject({ status: '0x1' });
    expect(places(await reader.rest())).toEqual([
      [1, 1],
      [2, 0],
    ]);
    await live.call('devnet_holdFlashblocks', { count: 2 });
    await live.tick(200);
    expect(await reader.rest()).toEqual([]);
    await live.tick(200);
    expect(await reader.rest()).toHaveLength(1);
  });

  test('a hold may last longer than a block', async () => {
    const before = await live.call('eth_blockNumber');
    await live.call('devnet_holdFlashblocks', 5_000);
    await live.tick(4_800);
    expect(await live.call('eth_blockNumber')).toBe(before);
    await live.tick(400);
    expect(await live.call('eth_blockNumber')).not.toBe(before);
  });

  test('skipped slots have no flashblock; indexes stay contiguous', async () => {
    const reader = await stream();
    await live.call('devnet_skipFlashblocks', 2);
    await live.send();
    await live.tick(400);
    expect(await reader.rest()).toEqual([]);
    await live.tick(200);
    expect(places(await reader.rest())).toEqual([[1, 1]]);
  });

  test('a duplicate and a gap show on the stream only', async () => {
    const reader = await stream();
    const other = await subscriber(live.url);
    await other.subscribe('newFlashblocks');
    await live.tick();
    await live.call('devnet_duplicateFlashblock');
    await live.call('devnet_duplicateFlashblock', 0);
    await live.call('devnet_gapFlashblock');
    await live.tick(400);
    const messages = await reader.rest();
    expect(messages.map(({ index }) => index)).toEqual([1, 1, 0, 3]);
    expect(messages[1]).toEqual(messages[0]);
    expect(await other.rest()).toHaveLength(3);
    await expect(live.call('devnet_duplicateFlashblock', 9)).rejects.toMatchObject({ code: -32602 });
  });

  test('a delayed seal keeps the whole block pending for so long', async () => {
    const before = (await block('latest')).hash;
    await live.call('devnet_delaySeal', 300);
    const hash = await live.send();
    await live.tick(2_000);
    expect((await block('latest')).hash).toBe(before);
    const pending = await block('pending');
    expect(pending.transactions).toEqual([hash]);
    await live.tick(300);
    expect((await block('latest')).hash).toBe(pending.hash);
    await live.tick(2_000);
    expect((await block('latest')).number).toBe('0x3');
  });

  test('a delayed seal comes where the block was opened again meanwhile', async () => {
    await live.call('devnet_delaySeal', 300);
    await live.tick(2_000);
    await live.call('evm_setNextBlockTimestamp', 1_700_000_500);
    await live.tick(300);
    expect(await block('latest')).toMatchObject({ number: '0x2', timestamp: '0x6553f2f4' });
    await live.tick(2_000);
    expect((await block('latest')).number).toBe('0x3');
  });

  test('a refused sender is not admitted until it is allowed again', async () => {
    const { first, second } = live.accounts;
    await live.call('devnet_refuseSender', first, true);
    await expect(live.send(first)).rejects.toMatchObject({ code: -32003 });
    await live.send(second);
    await live.call('devnet_refuseSender', first, false);
    await live.send(first);
  });

  test('parameters are checked', async () => {
    for (const [method, ...params] of [
      ['devnet_reorg', 0],
      ['devnet_reorg', 1, { reinclude: 1 }],
      ['devnet_dropPreconfirmed', '0x1'],
      ['devnet_holdFlashblocks', -1],
      ['devnet_skipFlashblocks', 0],
      ['devnet_gapFlashblock', 'x'],
      ['devnet_delaySeal', 2 ** 40],
      ['devnet_refuseSender', '0x1'],
      ['devnet_tick', 'soon'],
    ] as const)
      await expect(live.call(method, ...params)).rejects.toMatchObject({ code: -32602 });
  });
});

describe('devnet_tick and devnet_seal', () => {
  test('need a clock that stands still, or seal at once', async () => {
    const live = await liveNode({ manualClock: false, noMining: true });
    await expect(live.tick()).rejects.toMatchObject({ code: -32000 });
    expect(await live.seal()).toBe('0x1');
    await live.close();
  });

  test('move time: a tick is one partial block, a seal the rest of the block', async () => {
    const live = await liveNode();
    const start = 1_700_000_000_000;
    expect(await live.tick()).toBe(start + 200);
    expect(await live.seal()).toBe('0x1');
    expect(await live.tick(0)).toBe(start + 2_000);
    expect(await live.tick(4_000)).toBe(start + 6_000);
    expect(await live.call('eth_blockNumber')).toBe('0x3');
    await live.close();
  });

  test.each([
    ['a fixed time', 2],
    ['a range', [2, 9]],
  ])('without partial blocks a tick is the way to the next block, of %s', async (_, time) => {
    const live = await liveNode({ blockTime: 2, flashblockInterval: 0 });
    await live.call('evm_setIntervalMining', time);
    const steps = new Set<number>();
    for (let number = 1, before = 1_700_000_000_000; number <= 6; number++) {
      // On the way the rest is left.
      if (number === 3) await live.tick(500);
      const now = await live.tick();
      steps.add(now - before);
      before = now;
      expect(Number(await live.call('eth_blockNumber'))).toBe(number);
    }
    expect(steps.size > 1).toBe(Array.isArray(time));
    for (const step of steps) expect(step).toBeGreaterThanOrEqual(2_000);
    await live.close();
  });

  test('full blocks every 200 ms share a timestamp and tell their milliseconds', async () => {
    const live = await liveNode({ preset: 'base' });
    const reader = await subscriber(live.url);
    await reader.subscribe('newHeads');
    await live.emit(1);
    await live.tick(1_200);
    const heads = await reader.take(6);
    const at = (seconds: number, ms: number) => ({
      timestamp: `0x${(1_700_000_000 + seconds).toString(16)}`,
      timestampMs: `0x${((1_700_000_000 + seconds) * 1_000 + ms).toString(16)}`,
    });
    expect(heads).toMatchObject([at(0, 200), at(0, 400), at(0, 600), at(0, 800), at(1, 0), at(1, 200)]);
    const block = await live.call('eth_getBlockByNumber', '0x1', true);
    expect(block).toMatchObject(at(0, 200));
    const blockTimestampMs = at(0, 200).timestampMs;
    expect(block.transactions[0]).toMatchObject({ blockTimestampMs });
    expect(await live.call('eth_getLogs', { fromBlock: '0x1' })).toMatchObject([{ blockTimestampMs }]);
    expect(await live.call('eth_getBlockByNumber', 'pending', false)).toMatchObject(at(1, 400));
    // There are no partial blocks.
    expect(await live.call('eth_getBlockByNumber', '0x7', false)).toBeNull();
    const tooMuch = live.send(live.accounts.first, { gas: '0x1000001' });
    await expect(tooMuch).rejects.toMatchObject({ message: expect.stringMatching('cap') });
    await live.send(live.accounts.first, { gas: '0x1000000' });
    await live.close();

    const plain = await liveNode();
    expect(await plain.call('eth_getBlockByNumber', 'latest', false)).not.toHaveProperty('timestampMs');
    await plain.close();
  });
});
