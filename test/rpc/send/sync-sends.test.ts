import { hexToBytes } from '@ethereumjs/util';
import { describe, expect, test, vi } from 'vitest';
import { ManualClock } from '../../../src/clock.ts';
import type { DevnetOptions } from '../../../src/index.ts';
import { hex, quantity } from '../../../src/rpc/codec/hex.ts';
import { Confirmations } from '../../../src/rpc/send/confirmations.ts';
import { Feed } from '../../../src/sequencer/feed/feed.ts';
import { keccak256 } from '../../../src/state/keccak.ts';
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

  test('time out with code 4 and the hash', async () => {
    const live = await liveNode();
    const { first, second } = live.accounts;
    const late = live.call('eth_sendTransactionSync', { from: first, to: second }, 1);
    await expect(late).rejects.toMatchObject({ code: 4, data: expect.stringMatching(/^0x[0-9a-f]{64}$/) });
    await live.close();
  });

  test.each([undefined, 'optimism', 'unichain'] as const)(
    'wait for 6 s where more is asked for, with preset %s',
    async (preset) => {
      const live = await liveNode(preset && { preset });
      const { first, second } = live.accounts;
      const waits = vi.spyOn(Confirmations.prototype, 'of');
      for (const method of ['eth_sendTransactionSync', 'eth_sendRawTransactionSync']) {
        const transaction = { from: first, to: second, value: '0x1' };
        const sent =
          method === 'eth_sendTransactionSync'
            ? transaction
            : await live.call('eth_signTransaction', transaction);
        const answer = live.call(method, sent, '0x989680');
        await nextTurn();
        for (let ticks = 0; ticks < 3; ticks++) await live.tick();
        expect(await answer).toMatchObject({ status: '0x1' });
        expect(waits.mock.lastCall?.[1]).toBe(6_000);
      }
      waits.mockRestore();
      await live.close();
    },
  );

  test.each(['base', 'base-denim'] as const)('refuse more than 6 s with preset %s', async (preset) => {
    const live = await liveNode({ preset });
    const { first, second } = live.accounts;
    const transaction = { from: first, to: second };
    for (const [method, sent] of [
      ['eth_sendTransactionSync', transaction],
      ['eth_sendRawTransactionSync', '0x'],
    ] as const)
      await expect(live.call(method, sent, 6_001)).rejects.toMatchObject({ code: -32602 });
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

  describe('end as soon as the transaction can not be confirmed any more', () => {
    const fees = (gwei: number) => ({
      maxFeePerGas: quantity(BigInt(gwei) * 10n ** 9n),
      maxPriorityFeePerGas: quantity(BigInt(gwei) * 10n ** 9n),
    });
    type Live = Awaited<ReturnType<typeof liveNode>>;
    const signed = async ({ call, accounts }: Live, gwei: number, nonce = '0x0') => {
      const request = { from: accounts.first, to: accounts.second, gas: '0x5208', nonce, ...fees(gwei) };
      return (await call('eth_signTransaction', request)) as string;
    };
    /** Sends, and waits until the transaction is in the mempool. */
    const waitFor = async ({ call, node }: Live, raw: string, nonce = '0x0') => {
      const answer = call('eth_sendRawTransactionSync', raw).then(
        () => 'a receipt',
        (error: unknown) => error,
      );
      const sent = hex(keccak256(hexToBytes(raw as `0x${string}`)));
      const { address } = node.accounts[0]!;
      do await nextTurn();
      while ((await call('eth_getTransactionBySenderAndNonce', address, nonce))?.hash !== sent);
      return { answer, sent };
    };

    test.each<[string, DevnetOptions, string?]>([
      ['with flashblocks', {}],
      ['with blocks only', { flashblockInterval: 0 }],
      ['without mining', { noMining: true }],
      ['behind a nonce gap on automine', { automine: true }, '0x1'],
      ['behind a nonce gap in mixed mode', { blockTime: 2, mixedMining: true }, '0x1'],
      ['in EthereumJS', { engine: 'ethereumjs' }],
      ['in both engines', { engine: 'shadow' }],
    ])('it is replaced, %s', async (_, options, nonce) => {
      const live = await liveNode(options);
      const { answer, sent } = await waitFor(live, await signed(live, 5, nonce), nonce);
      const other = await live.call('eth_sendRawTransaction', await signed(live, 6, nonce));
      expect(await answer).toMatchObject({
        code: -32003,
        message: expect.stringMatching(`${other}, which has the same sender and nonce`),
        data: sent,
      });
      expect(await live.call('eth_getTransactionByHash', other)).toMatchObject({ blockHash: null });
      await live.close();
    });

    test.each<[string, (live: Live, id: string) => Promise<unknown>]>([
      ['evm_revert', ({ call }, id) => call('evm_revert', id)],
      ['anvil_reset', ({ call }) => call('anvil_reset')],
      ['anvil_dropTransaction', ({ call }) => call('anvil_dropAllTransactions')],
      ['anvil_setNonce', ({ call, accounts }) => call('anvil_setNonce', accounts.first, '0x5')],
    ])('%s drops it', async (_, drop) => {
      const live = await liveNode({ noMining: true });
      const id = await live.call('evm_snapshot');
      const { answer, sent } = await waitFor(live, await signed(live, 5));
      await drop(live, id);
      expect(await answer).toMatchObject({ code: -32003, data: sent });
      await live.close();
    });
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
    const automine = await liveNode({ automine: true });
    expect(await automine.call('op_supportedCapabilities')).toEqual([]);
    await automine.close();
  });
});
