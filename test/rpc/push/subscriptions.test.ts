import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { ProviderMessage } from '../../../src/index.ts';
import { Delivery } from '../../../src/rpc/push/delivery.ts';
import { Subscriptions } from '../../../src/rpc/push/subscriptions.ts';
import { Feed } from '../../../src/sequencer/feed/feed.ts';
import { eventually } from '../../eventually.ts';
import { listen, liveNode, subscriber, topic } from '../../live-node.ts';
import type { Wire } from '../../wire.ts';
import { bytes, fakeBlock } from '../fake-chain.ts';

describe('subscriptions', () => {
  test('lose what happens faster than it can be sent, and say how much', async () => {
    const onError = (error: unknown) => {
      throw error;
    };
    const feed = new Feed({ onError });
    const delivery = new Delivery({ onError });
    const mempool = { onAdd: () => ({ [Symbol.dispose]: () => {} }) };
    const subscriptions = new Subscriptions({ waiting: 2 }, { feed, mempool, delivery });
    const told: string[] = [];
    const connection = { notify: (text: Buffer) => told.push(text.toString()) > 0, onClose: () => {} };
    for (let i = 0; i < 3; i++)
      subscriptions.add(connection, { key: 'numbers', sealed: ({ header }) => [`${header.number}`] });
    const lost: number[] = [];
    subscriptions.whenDropped((messages) => lost.push(messages));
    const seal = (...numbers: bigint[]) => {
      for (const number of numbers) feed.emit('sealed', fakeBlock(number, bytes(0)));
    };
    seal(1n, 2n, 3n, 4n);
    expect(lost).toEqual([3, 3]);
    await delivery.settled();
    seal(5n);
    await delivery.settled();
    const numbers = told.map((text) => JSON.parse(text).params.result);
    expect(numbers).toEqual([1, 1, 1, 2, 2, 2, 5, 5, 5]);
  });
});

describe('eth_subscribe', () => {
  let live: Awaited<ReturnType<typeof liveNode>>;
  let reader: Awaited<ReturnType<typeof subscriber>>;
  beforeEach(async () => {
    live = await liveNode();
    reader = await subscriber(live.url);
    await live.seal();
  });
  afterEach(() => live.close());

  test('newHeads gives the header of each sealed block, empty ones too', async () => {
    expect(await reader.subscribe('newHeads')).toBe('0x1');
    await live.tick(1_800);
    await live.seal();
    await live.seal();
    const heads = await reader.take(2);
    const latest = await live.call('eth_getBlockByNumber', 'latest', false);
    const { transactions: _, size: _size, uncles: _uncles, withdrawals: _w, ...header } = latest;
    expect(heads[1]).toEqual(header);
    expect(heads[0].hash).toBe(header.parentHash);
    expect(await reader.rest()).toEqual([]);
  });

  test('logs gives the wanted logs of sealed blocks', async () => {
    await reader.subscribe('logs', { topics: [topic(1)] });
    await live.emit(1);
    await live.emit(2);
    await live.tick();
    expect(await reader.rest()).toEqual([]);
    await live.seal();
    const wanted = await live.call('eth_getLogs', { fromBlock: 'latest', topics: [topic(1)] });
    expect(wanted).toHaveLength(1);
    expect(await reader.rest()).toEqual(wanted);
  });

  test('newPendingTransactions gives hashes, or whole transactions', async () => {
    const hash = await live.send();
    await reader.subscribe('newPendingTransactions');
    await reader.subscribe('newPendingTransactions', true);
    const second = await live.send();
    expect(await reader.take(2)).toEqual([
      second,
      expect.objectContaining({ hash: second, blockHash: null, nonce: '0x1' }),
    ]);
    expect(second).not.toBe(hash);
  });

  test('newFlashblocks gives the whole block at each index, as eth_getBlockByNumber does', async () => {
    await reader.subscribe('newFlashblocks');
    await live.send();
    await live.tick();
    const first = await live.call('eth_getBlockByNumber', 'pending', true);
    await live.send();
    await live.tick();
    const second = await live.call('eth_getBlockByNumber', 'pending', true);
    expect(await reader.take(2)).toEqual([first, second]);
    expect(second.transactions).toHaveLength(2);
  });

  test('newFlashblockDiffs tells which of the new transactions failed', async () => {
    await reader.subscribe('newFlashblockDiffs');
    const reverting = `0x${'fd'.repeat(20)}`;
    await live.call('anvil_setCode', reverting, '0x5f5ffd');
    await live.send();
    await live.send(undefined, { to: reverting, gas: '0x186a0' });
    await live.send();
    await live.tick();
    const [diff] = (await reader.rest()).filter(({ block }: Wire) => block.transactions.length > 0);
    const wrong = diff.block.transactions.findIndex(({ to }: Wire) => to === reverting);
    expect(diff.failed).toEqual([wrong]);
  });

  test('newFlashblockDiffs gives what each index adds, under the payload id of the stream', async () => {
    const stream = await listen(`${live.url}/flashblocks`);
    await reader.subscribe('newFlashblockDiffs');
    await reader.subscribe('newFlashblocks');
    await live.send();
    await live.tick();
    await live.send();
    await live.send();
    await live.tick();
    await live.tick();
    await live.seal();
    const got = await reader.rest();
    const diffs = got.filter((it: Wire) => it.payloadId);
    const blocks = got.filter((it: Wire) => !it.payloadId);
    const messages = await stream.take(diffs.length);
    stream.socket.close();
    const counts = diffs.map(({ block }: Wire) => block.transactions.length);
    expect(counts).toEqual([1, 2, ...Array(counts.length - 2).fill(0)]);
    expect(diffs.every(({ failed }: Wire) => failed.length === 0)).toBe(true);
    expect(diffs.map(({ payloadId, index }: Wire) => [payloadId, index])).toEqual(
      messages.map((it) => [it.payload_id, it.index]),
    );
    // The last index opens the next block.
    expect(diffs.map(({ index }: Wire) => index)).toEqual([
      ...diffs.slice(1).map((_: Wire, i: number) => i + 1),
      0,
    ]);
    let known: Wire[] = [];
    diffs.forEach(({ block, index }: Wire, i: number) => {
      const { transactions, ...header } = blocks[i];
      const { transactions: added, ...rest } = block;
      known = (index === 0 ? [] : known).concat(added);
      expect(rest).toEqual(header);
      expect(known.map(({ hash }) => hash)).toEqual(transactions.map(({ hash }: Wire) => hash));
      expect(added).toEqual(transactions.slice(transactions.length - added.length));
    });
  });

  test('pendingLogs gives the logs of the newest flashblock only, each once', async () => {
    await reader.subscribe('pendingLogs', { topics: [topic(7)] });
    await live.emit(7);
    await live.emit(8);
    await live.tick();
    const [early] = await reader.take(1);
    await live.emit(7);
    await live.tick(400);
    const late = await reader.rest();
    expect(early).toMatchObject({ logIndex: '0x0', topics: [topic(7)], removed: false });
    expect(late).toHaveLength(1);
    expect(late[0]).toMatchObject({ logIndex: '0x2', blockNumber: early.blockNumber });
  });

  test('newFlashblockTransactions gives hashes, objects with receipt fields, or those with a wanted log', async () => {
    await reader.subscribe('newFlashblockTransactions');
    await reader.subscribe('newFlashblockTransactions', true);
    await reader.subscribe('newFlashblockTransactions', { topics: [topic(3)] });
    const hashes = [await live.send(), await live.emit(3)];
    await live.tick();
    const got = await reader.take(5);
    expect(got.filter((item: Wire) => typeof item === 'string')).toEqual(hashes);
    const objects = got.filter((item: Wire) => typeof item === 'object');
    expect(objects.map(({ hash }: Wire) => hash)).toEqual([...hashes, hashes[1]]);
    const receipt = await live.call('eth_getTransactionReceipt', hashes[1]);
    const transaction = await live.call('eth_getTransactionByHash', hashes[1]);
    expect(objects[1]).toEqual({ ...receipt, ...transaction });
    expect(objects[1]).toMatchObject({ gasUsed: receipt.gasUsed, status: '0x1', input: transaction.input });
    await live.tick();
    expect(await reader.rest()).toEqual([]);
  });

  test('syncing is accepted: there is never anything to tell', async () => {
    expect(await reader.subscribe('syncing')).toBe('0x1');
  });

  test('all subscribers of one kind get the same, each of one connection under its own id', async () => {
    const other = await subscriber(live.url);
    const ids = [await reader.subscribe('newHeads'), await reader.subscribe('newHeads')];
    expect(new Set(ids).size).toBe(2);
    const id = await other.subscribe('newHeads');
    await live.seal();
    const [one, two] = await reader.take(2);
    expect([one, two]).toEqual([...(await other.take(1)), one]);
    expect(await reader.call('eth_unsubscribe', ids[0])).toBe(true);
    expect(await other.call('eth_unsubscribe', id)).toBe(true);
    await live.seal();
    expect(await reader.take(1)).toHaveLength(1);
    expect(await reader.rest()).toEqual([]);
  });

  test('after eth_unsubscribe nothing more comes, and another connection can not do it', async () => {
    const other = await subscriber(live.url);
    const id = await reader.subscribe('newHeads');
    expect(await other.call('eth_unsubscribe', id)).toBe(false);
    expect(await reader.call('eth_unsubscribe', id)).toBe(true);
    expect(await reader.call('eth_unsubscribe', id)).toBe(false);
    await live.seal();
    expect(await reader.rest()).toEqual([]);
  });

  test('is refused over HTTP, for unknown kinds and for bad filters', async () => {
    const answer = await fetch(live.url.replace('ws', 'http'), {
      method: 'POST',
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_subscribe', params: ['newHeads'] }),
    });
    expect(await answer.json()).toMatchObject({ error: { code: -32000 } });
    expect(await reader.subscribe('newTails')).toMatchObject({ error: { code: -32602 } });
    expect(await reader.subscribe('toString')).toMatchObject({ error: { code: -32602 } });
    expect(await reader.subscribe('logs', { address: '0x1' })).toMatchObject({ error: { code: -32602 } });
    expect(await reader.subscribe('newFlashblockTransactions', 7)).toMatchObject({ error: { code: -32602 } });
  });

  test('in process they come as EIP-1193 messages', async () => {
    const { provider } = live.node;
    const messages: ProviderMessage[] = [];
    const listener = (message: ProviderMessage) => messages.push(message);
    provider.on('message', listener);
    const subscription = await live.call('eth_subscribe', 'newHeads');
    await live.seal();
    const { hash } = await live.call('eth_getBlockByNumber', 'latest', false);
    await eventually(() => expect(messages).toHaveLength(1));
    expect(messages).toMatchObject([{ type: 'eth_subscription', data: { subscription, result: { hash } } }]);
    provider.removeListener('message', listener);
    await live.seal();
    expect(messages).toHaveLength(1);
    expect(await live.call('eth_unsubscribe', subscription)).toBe(true);
  });

  test('nothing that happens after a subscription is answered is missed, in the same turn of the event loop', async () => {
    const { provider } = live.node;
    const received: unknown[] = [];
    provider.on('message', ({ data }: ProviderMessage) => received.push(data));
    const subscription = await live.call('eth_subscribe', 'newPendingTransactions');
    const hash = await live.send();
    expect(received).toEqual([]);
    await eventually(() => expect(received).toEqual([{ subscription, result: hash }]));
  });

  test('a long revert gives each removed log, the newest block first', async () => {
    const snapshot = await live.call('evm_snapshot');
    for (let block = 0; block < 60; block++) {
      await live.emit(1);
      await live.seal();
    }
    const logs = await live.call('eth_getLogs', { fromBlock: '0x0' });
    expect(logs).toHaveLength(60);
    const filter = await live.call('eth_newFilter', {});
    await reader.subscribe('logs');
    await live.call('evm_revert', snapshot);
    const removed = logs.toReversed().map((log: Wire) => ({ ...log, removed: true }));
    expect(await live.call('eth_getFilterChanges', filter)).toEqual(removed);
    expect(await reader.take(60)).toEqual(removed);
    expect(await reader.rest()).toEqual([]);
  });

  test('a reorg gives the removed logs, then the new heads and their logs', async () => {
    await live.emit(1);
    await live.seal();
    const [log] = await live.call('eth_getLogs', { fromBlock: 'latest' });
    await reader.subscribe('logs');
    await reader.subscribe('newHeads');
    await live.call('devnet_reorg', 1);
    const latest = await live.call('eth_getBlockByNumber', 'latest', false);
    const got = await reader.take(3);
    expect(latest.hash).not.toBe(log.blockHash);
    expect(got[0]).toEqual({ ...log, removed: true });
    expect(got.slice(1)).toEqual(
      expect.arrayContaining([
        { ...log, blockHash: latest.hash },
        expect.objectContaining({ hash: latest.hash, number: latest.number }),
      ]),
    );
  });
});

test('in automine a subscriber sees each block as a head and a flashblock', async () => {
  const live = await liveNode({ automine: true });
  const reader = await subscriber(live.url);
  await reader.subscribe('newHeads');
  await reader.subscribe('newFlashblockTransactions');
  const hash = await live.send();
  const got = await reader.take(2);
  expect(got).toEqual(expect.arrayContaining([hash, expect.objectContaining({ number: '0x1' })]));
  await live.close();
});
