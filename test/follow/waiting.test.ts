import { describe, expect, test } from 'vitest';
import { eventually } from '../eventually.ts';
import { WatchedHolds } from '../held-lookups.ts';
import { closeNodesAfterEachTest, follower, sequencer } from './nodes.ts';

closeNodesAfterEachTest();

/** Partial blocks come so seldom that a test which waits for one by mistake fails. */
const SELDOM = { blockTime: 20, flashblockInterval: 10_000 };

describe('a follower, which has no mempool', () => {
  test('finds a transaction that waits at the node that makes the blocks', async () => {
    const live = await sequencer(SELDOM);
    const other = await follower(live);
    const hash = await live.send(live.accounts.first, { gas: '0x5208', nonce: '0x1' });
    const found = await other.call('eth_getTransactionByHash', hash);
    expect(found).toMatchObject({ hash, blockHash: null, blockNumber: null, transactionIndex: null });
    const raw = await other.call('eth_getRawTransactionByHash', hash);
    expect(raw).toBe(await live.call('eth_getRawTransactionByHash', hash));
    expect(await other.call('debug_getRawTransaction', hash)).toBe(raw);
    expect(await other.call('eth_getTransactionReceipt', hash)).toBeNull();
    const bySender = (nonce: string) =>
      other.call('eth_getTransactionBySenderAndNonce', live.accounts.first, nonce);
    expect(await bySender('0x1')).toEqual(found);
    expect(await bySender('0x2')).toBeNull();
    const unknown = `0x${'12'.repeat(32)}`;
    expect(await other.call('eth_getTransactionByHash', unknown)).toBeNull();
    expect(await other.call('debug_getRawTransaction', unknown)).toBe('0x');
    await expect(other.call('eth_getTransactionByHash', '0x12')).rejects.toMatchObject({ code: -32602 });
  });

  test('answers one that is pre-confirmed meanwhile from its own chain', async () => {
    const live = await sequencer(SELDOM);
    const other = await follower(live);
    const hashes = [await live.send(), await live.send(live.accounts.second)];
    using holds = new WatchedHolds();
    const answering = fetch(other.url.replace('ws', 'http'), {
      method: 'POST',
      body: JSON.stringify(
        hashes.flatMap((hash, i) =>
          ['eth_getTransactionByHash', 'eth_getTransactionReceipt'].map((method) => ({
            jsonrpc: '2.0',
            id: `${method} ${i}`,
            method,
            params: [hash],
          })),
        ),
      ),
    });
    // It asks the other node, over a socket.
    await holds.begun(2);
    await live.tick(10_000);
    const answers = (await (await answering).json()) as { result: { blockHash: string } }[];
    const { hash: blockHash } = await other.call('eth_getBlockByNumber', 'pending', false);
    expect(answers.map(({ result }) => result.blockHash)).toEqual([
      blockHash,
      blockHash,
      blockHash,
      blockHash,
    ]);
  });

  test('answers a look-up by sender and nonce from its own chain once it is pre-confirmed', async () => {
    const live = await sequencer(SELDOM);
    const other = await follower(live);
    const hash = await live.send();
    using holds = new WatchedHolds();
    const looking = other.call('eth_getTransactionBySenderAndNonce', live.accounts.first, '0x0');
    await holds.begun(1);
    await live.tick(10_000);
    const found = await looking;
    const { hash: blockHash } = await other.call('eth_getBlockByNumber', 'pending', false);
    expect(found).toMatchObject({ hash, blockHash, blockNumber: '0x1' });
  });

  test('answers from its own chain alone when the other node is gone', async () => {
    const live = await sequencer(SELDOM);
    const other = await follower(live);
    const hash = await live.send();
    await live.tick(10_000);
    await eventually(async () => expect(await other.call('eth_getTransactionReceipt', hash)).not.toBeNull());
    await live.close();
    expect(await other.call('eth_getTransactionByHash', hash)).toMatchObject({ hash, blockNumber: '0x1' });
    expect(await other.call('eth_getTransactionByHash', `0x${'12'.repeat(32)}`)).toBeNull();
  });
});
