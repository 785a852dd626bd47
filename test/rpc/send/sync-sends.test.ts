import { describe, expect, test } from 'vitest';
import { ManualClock } from '../../../src/clock.ts';
import { hex } from '../../../src/rpc/codec/hex.ts';
import { Confirmations } from '../../../src/rpc/send/confirmations.ts';
import { Feed } from '../../../src/sequencer/feed/feed.ts';
import { liveNode } from '../../live-node.ts';
import { emptyChain, fakeTransaction } from '../fake-chain.ts';

const onError = (error: unknown) => {
  throw error;
};

const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

describe('sync sends', () => {
  test('answer with the receipt at pre-confirmation', async () => {
    const live = await liveNode();
    const { first, second } = live.accounts;
    const answer = live.call('eth_sendTransactionSync', { from: first, to: second, value: '0x1' });
    await nextTurn();
    await live.tick();
    const receipt = await answer;
    expect(receipt).toMatchObject({ status: '0x1', blockNumber: '0x1', transactionIndex: '0x0' });
    expect(await live.call('eth_getTransactionReceipt', receipt.transactionHash)).toEqual(receipt);
    await live.close();
  });

  test('answer at once in automine', async () => {
    const live = await liveNode({ automine: true });
    const { first, second } = live.accounts;
    const receipt = await live.call('eth_sendTransactionSync', { from: first, to: second });
    expect(receipt).toMatchObject({ status: '0x1', blockNumber: '0x1' });
    await live.close();
  });

  test('time out with code 4 and the hash; 6 s is the most that can be asked for', async () => {
    const live = await liveNode();
    const { first, second } = live.accounts;
    const late = live.call('eth_sendTransactionSync', { from: first, to: second }, 1);
    await expect(late).rejects.toMatchObject({ code: 4, data: expect.stringMatching(/^0x[0-9a-f]{64}$/) });
    const long = live.call('eth_sendRawTransactionSync', '0x', 6_001);
    await expect(long).rejects.toMatchObject({ code: -32602 });
    await live.close();
  });

  test('fail when the transaction is dropped, and leave nothing behind', async () => {
    const [feed, clock] = [new Feed({ onError }), new ManualClock()];
    const confirmations = new Confirmations({ chain: emptyChain(), feed, clock });
    const transaction = fakeTransaction({});
    const waiting = confirmations.of(transaction.hash, 6_000);
    feed.emit('dropped', { transaction, reason: 'gone' });
    await expect(waiting).rejects.toMatchObject({ code: -32003 });
    const late = confirmations.of(transaction.hash, 6_000);
    const outcome = expect(late).rejects.toMatchObject({ code: 4, data: hex(transaction.hash) });
    await clock.advance(6_000);
    await outcome;
    expect(feed.has('flashblock')).toBe(false);
  });

  test('base_transactionStatus knows what is on its way, op_supportedCapabilities the stream', async () => {
    const live = await liveNode();
    const hash = await live.send();
    const status = () => live.call('base_transactionStatus', hash);
    expect(await status()).toEqual({ status: 'Known' });
    await live.tick();
    expect(await status()).toEqual({ status: 'Known' });
    await live.seal();
    expect(await status()).toEqual({ status: 'Unknown' });
    expect(await live.call('op_supportedCapabilities')).toEqual(['flashblocksv1']);
    await live.close();
  });
});
