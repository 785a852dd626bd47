import { describe, expect, test } from 'vitest';
import { ManualClock } from '../../../src/clock.ts';
import { hex } from '../../../src/rpc/codec/hex.ts';
import { Delivery } from '../../../src/rpc/push/delivery.ts';
import { Filters } from '../../../src/rpc/push/filters.ts';
import { Feed } from '../../../src/sequencer/feed/feed.ts';
import { liveNode, topic } from '../../live-node.ts';
import { bytes, fakeBlock, fakeLog, fakeTransaction } from '../fake-chain.ts';

const onError = (error: unknown) => {
  throw error;
};

const MINUTE = 60_000;

function build(options: { changes?: number; most?: number } = {}) {
  const feed = new Feed({ onError });
  const clock = new ManualClock();
  const mempool = { onAdd: () => ({ [Symbol.dispose]: () => {} }) };
  const delivery = new Delivery({ onError });
  return { feed, clock, filters: new Filters(options, { feed, mempool, clock, delivery }) };
}

describe('filters', () => {
  test('give what happened since they were last asked', async () => {
    const live = await liveNode();
    const blocks = await live.call('eth_newBlockFilter');
    const waiting = await live.call('eth_newPendingTransactionFilter');
    const logs = await live.call('eth_newFilter', { topics: [topic(4)] });
    expect(new Set([blocks, waiting, logs]).size).toBe(3);
    const hash = await live.emit(4);
    await live.emit(5);
    await live.seal();
    const { hash: head } = await live.call('eth_getBlockByNumber', 'latest', false);
    const wanted = await live.call('eth_getLogs', { fromBlock: '0x1', topics: [topic(4)] });
    expect(wanted).toHaveLength(1);
    expect(await live.call('eth_getFilterChanges', blocks)).toEqual([head]);
    expect(await live.call('eth_getFilterChanges', blocks)).toEqual([]);
    expect((await live.call('eth_getFilterChanges', waiting))[0]).toBe(hash);
    expect(await live.call('eth_getFilterChanges', logs)).toEqual(wanted);
    expect(await live.call('eth_getFilterLogs', logs)).toEqual(wanted);
    await expect(live.call('eth_getFilterLogs', blocks)).rejects.toMatchObject({ code: -32000 });

    await live.call('devnet_reorg', 1);
    const [removed, again] = await live.call('eth_getFilterChanges', logs);
    expect(removed).toEqual({ ...wanted[0], removed: true });
    expect(again).toMatchObject({ removed: false, transactionHash: hash });

    expect(await live.call('eth_uninstallFilter', logs)).toBe(true);
    expect(await live.call('eth_uninstallFilter', logs)).toBe(false);
    await expect(live.call('eth_getFilterChanges', logs)).rejects.toMatchObject({ code: -32000 });
    await live.close();
  });

  test('are forgotten when nobody asks for five minutes', async () => {
    const { filters, feed, clock } = build();
    const kept = filters.addBlocks();
    const old = filters.addBlocks();
    await clock.advance(4 * MINUTE);
    await filters.changes(kept);
    await clock.advance(2 * MINUTE);
    expect(await filters.changes(kept)).toEqual([]);
    await expect(filters.changes(old)).rejects.toThrow();
    await clock.advance(6 * MINUTE);
    feed.emit('sealed', fakeBlock(1n, bytes(0)));
    expect(feed.has('sealed')).toBe(false);
  });

  test('keep so many changes, the newest', async () => {
    const { filters, feed } = build({ changes: 2 });
    const id = filters.addBlocks();
    const blocks = [1n, 2n, 3n].map((number) => fakeBlock(number, bytes(0)));
    for (const block of blocks) feed.emit('sealed', block);
    expect(await filters.changes(id)).toEqual(blocks.slice(1).map(({ hash }) => hex(hash)));
  });

  test('each go on where they were last asked, and begin where they were made', async () => {
    const { filters, feed } = build({ changes: 3 });
    const seal = (number: bigint) => {
      const block = fakeBlock(number, bytes(0));
      feed.emit('sealed', block);
      return hex(block.hash);
    };
    const early = filters.addBlocks();
    const first = seal(1n);
    const late = filters.addBlocks();
    const second = seal(2n);
    expect(await filters.changes(early)).toEqual([first, second]);
    const third = seal(3n);
    expect(await filters.changes(late)).toEqual([second, third]);
    expect(await filters.changes(early)).toEqual([third]);
    // Far more than are kept: what was dropped is dropped for all of them.
    const many = Array.from({ length: 5_000 }, (_, i) => seal(BigInt(4 + i)));
    for (const id of [early, late]) expect(await filters.changes(id)).toEqual(many.slice(-3));
    for (const id of [early, late]) filters.remove(id);
    expect(await filters.changes(filters.addBlocks())).toEqual([]);
  });

  test('share the logs that they tell', async () => {
    const { filters, feed } = build();
    const ids = [1, 2].map(() => filters.addLogs({ addresses: [], topics: [] }));
    feed.emit('sealed', fakeBlock(1n, bytes(0), [{ transaction: fakeTransaction({}), logs: [fakeLog()] }]));
    const [one, other] = await Promise.all(ids.map((id) => filters.changes(id)));
    expect(one).toHaveLength(1);
    expect(one![0]).toBe(other![0]);
  });

  test('are so many at most', () => {
    const { filters } = build({ most: 1 });
    filters.addBlocks();
    expect(() => filters.addBlocks()).toThrow();
  });

  test('a log filter keeps to its block numbers', async () => {
    const { filters, feed } = build();
    const criteria = { addresses: [], topics: [], fromBlock: { number: 2n }, toBlock: { number: 3n } };
    const id = filters.addLogs(criteria);
    for (const number of [1n, 2n, 3n, 4n])
      feed.emit(
        'sealed',
        fakeBlock(number, bytes(0), [{ transaction: fakeTransaction({}), logs: [fakeLog()] }]),
      );
    expect(await filters.changes(id)).toMatchObject([{ blockNumber: '0x2' }, { blockNumber: '0x3' }]);
  });
});
