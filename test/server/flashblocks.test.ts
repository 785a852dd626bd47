import { brotliDecompressSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Delivery } from '../../src/rpc/push/delivery.ts';
import { Faults } from '../../src/sequencer/feed/faults.ts';
import type { Feed } from '../../src/sequencer/feed/feed.ts';
import { FlashblockStream } from '../../src/server/flashblocks.ts';
import { listen, liveNode } from '../live-node.ts';
import { startChain } from '../sequencer/start-chain.ts';
import type { Wire } from '../wire.ts';
import { Pipe, UPGRADE } from './pipe.ts';

const HASH = /^0x[0-9a-f]{64}$/;

describe('the stream of flashblocks', () => {
  let live: Awaited<ReturnType<typeof liveNode>>;
  let stream: string;
  beforeEach(async () => {
    live = await liveNode();
    stream = `${live.url}/flashblocks`;
    // The first block opened with the node: begin with a whole one.
    await live.seal();
  });
  afterEach(() => live.close());

  test('a block of 2 s comes as 11 messages whose deltas make the sealed list', async () => {
    const reader = await listen(stream);
    await live.seal();
    await reader.take(11);
    const sent: string[] = [];
    for (let tick = 1; tick <= 10; tick++) {
      if (tick % 2 === 0) sent.push(await live.send(), await live.send(live.accounts.second));
      await live.tick();
    }
    const messages = [...(await reader.rest())];
    const index0 = await listen(`${stream}?backfill=1`);
    expect(messages.map(({ index }) => index)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 0]);
    const next = messages.pop();
    expect((await index0.take(1))[0]).toEqual(next);

    const block = await live.call('eth_getBlockByNumber', 'latest', true);
    expect(block.transactions).toHaveLength(sent.length);
    const deltas = messages.flatMap(({ diff }) => diff.transactions);
    const raw = await Promise.all(
      block.transactions.map(({ hash }: Wire) => live.call('web3_sha3', deltas[indexOf(block, hash)])),
    );
    expect(raw).toEqual(block.transactions.map(({ hash }: Wire) => hash));
    const last = messages.at(-1);
    expect(last.diff).toMatchObject({
      block_hash: block.hash,
      state_root: block.stateRoot,
      receipts_root: block.receiptsRoot,
      logs_bloom: block.logsBloom,
      gas_used: block.gasUsed,
      withdrawals: [],
      withdrawals_root: block.withdrawalsRoot,
      blob_gas_used: '0x0',
    });
    const gas = messages.map(({ diff }) => Number(diff.gas_used));
    expect(gas).toEqual(gas.toSorted((a, b) => a - b));
    expect(next.base).toMatchObject({ parent_hash: block.hash });
  });

  test('one payload id a block, base at index 0 only, and all its members', async () => {
    const reader = await listen(stream);
    await live.seal();
    await reader.take(10);
    await live.seal();
    const messages = await reader.take(11);
    expect(messages.map(({ index }) => index)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    expect(new Set(messages.map(({ payload_id }) => payload_id)).size).toBe(1);
    expect(messages[0].payload_id).toMatch(/^0x[0-9a-f]{16}$/);
    expect(messages.map(({ base }) => base !== undefined)).toEqual([true, ...Array(10).fill(false)]);
    const block = await live.call('eth_getBlockByNumber', 'latest', false);
    expect(messages[0].base).toEqual({
      parent_beacon_block_root: block.parentBeaconBlockRoot,
      parent_hash: block.parentHash,
      fee_recipient: block.miner,
      prev_randao: block.mixHash,
      block_number: block.number,
      gas_limit: block.gasLimit,
      timestamp: block.timestamp,
      extra_data: block.extraData,
      base_fee_per_gas: block.baseFeePerGas,
    });
    for (const { metadata, diff } of messages) {
      expect(metadata).toEqual({ block_number: Number(block.number) });
      expect(diff.block_hash).toMatch(HASH);
    }
    const [next] = await reader.take(1);
    expect(next.payload_id).not.toBe(messages[0].payload_id);
  });

  test('a new reader gets nothing of what was, unless it asks for it', async () => {
    await live.tick(600);
    const plain = await listen(stream);
    const backfilled = await listen(`${stream}?backfill=1`);
    expect((await backfilled.take(4)).map(({ index }) => index)).toEqual([0, 1, 2, 3]);
    await live.tick();
    expect((await plain.take(1))[0].index).toBe(4);
    expect((await backfilled.take(1))[0].index).toBe(4);
  });

  test('?brotli=1 sends the same messages as compressed binary frames', async () => {
    const text = await listen(stream, (data, isBinary) => ({ isBinary, text: String(data) }));
    const brotli = await listen(`${stream}?brotli=1`, (data, isBinary) => ({
      isBinary,
      text: String(brotliDecompressSync(data)),
    }));
    await live.tick(400);
    const plain = await text.take(2);
    expect(plain.map(({ isBinary }) => isBinary)).toEqual([false, false]);
    expect(await brotli.take(2)).toEqual(plain.map((frame) => ({ ...frame, isBinary: true })));
  });

  test('what a reader sends is ignored, and a ping is answered', async () => {
    const reader = await listen(stream);
    reader.socket.send('hello');
    const pong = new Promise((resolve) => reader.socket.once('pong', resolve));
    reader.socket.ping();
    await pong;
    await live.tick();
    expect(await reader.take(1)).toHaveLength(1);
  });

  test('the node closes its readers when it stops', async () => {
    const reader = await listen(stream);
    const code = new Promise((resolve) => reader.socket.once('close', resolve));
    await live.close();
    expect(await code).toBe(1001);
  });

  test('a reader that has stopped reading does not hold up the end of the node', async () => {
    const reader = await listen(stream);
    reader.socket.pause();
    await live.close();
  });
});

test('a block per transaction comes as indexes 0 and 1', async () => {
  const live = await liveNode({ automine: true });
  const reader = await listen(`${live.url}/flashblocks`);
  await live.send();
  const messages = await reader.take(2);
  expect(messages.map(({ index, diff }) => [index, diff.transactions.length])).toEqual([
    [0, 0],
    [1, 1],
  ]);
  const { hash } = await live.call('eth_getBlockByNumber', 'latest', false);
  expect(messages[1].diff.block_hash).toBe(hash);
  await live.close();
});

test('a slow reader loses the oldest messages, keeps its connection, and the log learns of it', async () => {
  let feed: Feed | undefined;
  await using chain = await startChain({}, { onFeed: (of) => (feed = of) });
  const lost: number[] = [];
  const stream = new FlashblockStream(
    { buffer: 3 },
    {
      feed: feed!,
      faults: new Faults(),
      delivery: new Delivery({ onError: (error) => expect.unreachable(String(error)) }),
      published: () => [],
      clock: chain.clock,
      onDropped: (messages) => lost.push(messages),
    },
  );
  const pipe = new Pipe();
  stream.upgrade(UPGRADE, pipe, Buffer.alloc(0));
  const indexes = () => [...pipe.text.matchAll(/"index":(\d+)/g)].map(([, index]) => Number(index));
  // Two of them are more than the 256 KiB that are written before the reader has read.
  const data = `0x${'11'.repeat(100_000)}`;
  for (let tick = 1; tick <= 9; tick++) {
    await chain.send({ data, gas: 5_000_000n });
    await chain.clock.advance(200);
    await pipe.settle();
  }
  expect([indexes(), lost, stream.readers]).toEqual([[1], [], 1]);
  for (let read = 0; read < 6; read++) {
    pipe.read1();
    await pipe.settle();
  }
  expect(indexes()).toEqual([1, 2, 7, 8, 9]);
  // One report for the whole stretch, once the reader has caught up.
  expect(lost).toEqual([4]);
  await chain.clock.advance(200);
  await pipe.settle();
  pipe.read1();
  await pipe.settle();
  expect([indexes().slice(5), lost, stream.readers]).toEqual([[10, 0], [4], 1]);
  pipe.destroy();
  await stream.stop();
});

function indexOf(block: Wire, hash: string): number {
  return block.transactions.findIndex((transaction: Wire) => transaction.hash === hash);
}
