import { describe, expect, test } from 'vitest';
import type { DevnetOptions } from '../../src/options/options.ts';
import { NEW_ACCOUNT } from '../../src/state/account.ts';
import { Overlay } from '../../src/state/overlay.ts';
import { eventually } from '../eventually.ts';
import { listen, subscriber } from '../live-node.ts';
import { startChain } from '../sequencer/start-chain.ts';
import { agree, closeNodesAfterEachTest, follower, sequencer } from './nodes.ts';

closeNodesAfterEachTest();

describe('a follower', () => {
  test('has each index and each sealed block as the sequencer has them', async () => {
    const live = await sequencer();
    const other = await follower(live);
    await agree(live, other);
    for (let tick = 0; tick < 12; tick++) {
      await live.send();
      if (tick % 3 === 0) await live.emit(tick + 1);
      await live.tick();
      await agree(live, other);
    }
    const { first } = live.accounts;
    for (const tag of ['latest', 'pending'])
      expect(await other.call('eth_getBalance', first, tag)).toBe(
        await live.call('eth_getBalance', first, tag),
      );
    const filter = { fromBlock: '0x0', toBlock: 'pending' };
    expect(await other.call('eth_getLogs', filter)).toEqual(await live.call('eth_getLogs', filter));
    expect(other.lines).toEqual([]);
  });

  test('that starts late catches up, in the middle of a block', async () => {
    const live = await sequencer();
    for (let block = 0; block < 20; block++) {
      await live.send();
      await live.seal();
    }
    await live.send();
    await live.tick(600);
    await live.send(live.accounts.second);
    await live.tick();
    const other = await follower(live);
    await agree(live, other);
    await live.seal();
    await agree(live, other);
  });

  test('answers a block explorer from what it has executed itself', async () => {
    const live = await sequencer();
    const other = await follower(live);
    const hash = await live.send();
    await live.seal();
    await agree(live, other);
    const { first } = live.accounts;
    for (const [method, ...params] of [
      ['ots_getBlockDetails', 1],
      ['ots_getBlockTransactions', 1, 0, 25],
      ['ots_traceTransaction', hash],
      ['ots_searchTransactionsBefore', first, 0, 25],
      ['devnet_searchTransactions', { from: first }],
      ['ots_getTransactionBySenderAndNonce', first, 0],
      ['trace_replayTransaction', hash, ['trace', 'vmTrace', 'stateDiff']],
      ['eth_getAccount', first, 'latest'],
    ] as const)
      expect(await other.call(method, ...params)).toEqual(await live.call(method, ...params));
  });

  test('serves subscriptions and the stream itself', async () => {
    const live = await sequencer();
    const other = await follower(live);
    const socket = await subscriber(other.url);
    await socket.subscribe('newHeads');
    const stream = await listen(`${other.url}/flashblocks?backfill=1`);
    await stream.take(1);
    await live.send();
    await live.seal();
    const [head] = await socket.take(1);
    expect(head.hash).toBe((await live.call('eth_getBlockByNumber', 'latest', false)).hash);
    const messages = await stream.take(11);
    expect(messages.map(({ index }) => index)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 0]);
    expect(messages[9].diff.block_hash).toBe(head.hash);
    socket.socket.close();
    stream.socket.close();
  });

  test('of a follower is one too', async () => {
    const live = await sequencer();
    const one = await follower(live);
    const two = await follower(one);
    await live.send();
    await live.tick();
    await agree(live, one, two);
    await live.seal();
    await agree(live, one, two);
  });

  test('passes sends on, and answers a sync send from its own state', async () => {
    const live = await sequencer();
    const other = await follower(live);
    const { first, second } = live.accounts;
    const hash = await other.call('eth_sendTransaction', { from: first, to: second, value: '0x1' });
    expect((await live.call('txpool_status')).pending).toBe('0x1');
    const receipt = other.call('eth_sendTransactionSync', { from: second, to: first, value: '0x2' });
    await eventually(async () => expect((await live.call('txpool_status')).pending).toBe('0x2'));
    await live.tick();
    expect(await receipt).toMatchObject({ status: '0x1' });
    expect(await other.call('eth_getTransactionReceipt', hash)).toMatchObject({ status: '0x1' });
    await expect(other.call('eth_sendRawTransaction', '0x02')).rejects.toMatchObject({ code: -32602 });
  });

  test('a sync send ends when the other node replaces its transaction', async () => {
    const live = await sequencer();
    const other = await follower(live);
    const { first, second } = live.accounts;
    const sent = (gwei: string) => ({
      from: first,
      to: second,
      nonce: '0x0',
      maxFeePerGas: gwei,
      maxPriorityFeePerGas: gwei,
    });
    const waiting = other.call('eth_sendTransactionSync', sent('0x77359400')).catch((error) => error);
    await eventually(async () => expect((await live.call('txpool_status')).pending).toBe('0x1'));
    const hash = await live.call('eth_sendTransaction', sent('0xb2d05e00'));
    expect(await waiting).toMatchObject({ code: -32003, message: expect.stringContaining(hash) });
  });

  test('passes on what sends in other ways, with the keys for it, and what starts and stops mining', async () => {
    const live = await sequencer({ noMining: true });
    const other = await follower(live);
    const { first, second } = live.accounts;
    const stranger = `0x${'5e'.repeat(20)}`;
    await live.call('anvil_setBalance', stranger, '0xde0b6b3a7640000');
    const sent = [
      await other.call('eth_sendUnsignedTransaction', { from: stranger, to: first, value: '0x1' }),
      await other.call('personal_sendTransaction', { from: second, to: first, value: '0x1' }, ''),
    ];
    const imported = await other.call('personal_importRawKey', `0x${'11'.repeat(32)}`, 'word');
    await live.call('anvil_setBalance', imported, '0xde0b6b3a7640000');
    sent.push(
      await other.call('personal_sendTransaction', { from: imported, to: first, value: '0x1' }, 'word'),
    );
    const waiting = await live.call('eth_pendingTransactions');
    expect(waiting.map(({ hash }: { hash: string }) => hash).sort()).toEqual(sent.sort());
    expect(await other.call('miner_start')).toBe(true);
    expect(await live.call('anvil_getAutomine')).toBe(true);
    await other.call('miner_stop');
    expect(await live.call('anvil_getAutomine')).toBe(false);
  });

  test('passes on conditional sends and resends, and answers itself what blocks hold', async () => {
    const live = await sequencer({ noMining: true });
    const other = await follower(live);
    const { first, second } = live.accounts;
    const raw = await other.call('eth_signTransaction', { from: first, to: second, gas: '0x5208' });
    const signed = typeof raw === 'string' ? raw : raw.raw;
    await expect(
      other.call('eth_sendRawTransactionConditional', signed, { blockNumberMin: '0x999' }),
    ).rejects.toMatchObject({ code: -32003 });
    const sent = await other.call('eth_sendRawTransactionConditional', signed, { blockNumberMin: '0x1' });
    const waiting = { from: second, to: first, gas: '0x5208', nonce: '0x0', gasPrice: '0x77359400' };
    await other.call('eth_sendTransaction', waiting);
    const again = await other.call('eth_resend', waiting, '0xee6b2800');
    await live.call('evm_mine');
    await eventually(async () => expect(await other.call('eth_blockNumber')).toBe('0x1'));
    const { transactions } = await other.call('eth_getBlockByNumber', '0x1', false);
    expect([...transactions].sort()).toEqual([sent, again].sort());
    for (const [method, ...params] of [
      ['debug_accountInfoAt', '0x1', 0, first],
      ['debug_getRawTransactions', '0x1'],
      ['debug_getModifiedAccountsByNumber', '0x1'],
      ['trace_get', sent, []],
    ] as const)
      expect(await other.call(method, ...params), method).toEqual(await live.call(method, ...params));
  });

  test('of a node that makes a block per transaction has its blocks at once', async () => {
    const live = await sequencer({ automine: true });
    const other = await follower(live);
    for (let i = 0; i < 5; i++) await live.send();
    const { hash } = await live.call('eth_getBlockByNumber', 'latest', false);
    await eventually(async () =>
      expect((await other.call('eth_getBlockByNumber', 'latest', false)).hash).toBe(hash),
    );
  });

  test('knows impersonated senders, and follows a revert', async () => {
    const live = await sequencer();
    const other = await follower(live);
    const snapshot = await live.call('evm_snapshot');
    const from = `0x${'77'.repeat(20)}`;
    await live.call('anvil_impersonateAccount', from);
    await live.call('eth_sendTransaction', {
      from: live.accounts.first,
      to: from,
      value: '0xde0b6b3a7640000',
    });
    await live.tick();
    await live.call('eth_sendTransaction', { from, to: live.accounts.second, value: '0x1' });
    await live.tick();
    await agree(live, other);
    await live.seal();
    await agree(live, other);
    const late = await follower(live);
    await agree(live, late);
    await live.call('evm_revert', snapshot);
    await agree(live, other, late);
    await live.send();
    await live.seal();
    await agree(live, other, late);
    expect([...other.lines, ...late.lines]).toEqual([]);
  });

  test('ends with the same head and pending state after every failure on demand', async () => {
    const live = await sequencer();
    const others = [await follower(live), await follower(live)];
    const some = async () => [await live.send(), await live.send(live.accounts.second)];
    const steps: (() => Promise<unknown>)[] = [
      async () => {
        const [hash] = await some();
        await live.tick();
        await live.call('devnet_dropPreconfirmed', hash);
      },
      async () => {
        const [hash] = await some();
        await live.tick();
        await live.call('devnet_failPreconfirmed', hash);
      },
      async () => {
        for (let i = 0; i < 3; i++) {
          await some();
          await live.seal();
        }
        await some();
        await live.tick();
        await live.call('devnet_reorg', 2);
      },
      () => live.call('devnet_reorg', 1, { reinclude: false }),
      async () => {
        await live.call('devnet_holdFlashblocks', 500);
        await some();
        await live.tick(400);
      },
      () => live.call('devnet_skipFlashblocks', 2),
      () => live.call('devnet_duplicateFlashblock'),
      () => live.call('devnet_duplicateFlashblock', 0),
      () => live.call('devnet_delaySeal', 700),
    ];
    for (const step of steps) {
      await step();
      await agree(live, ...others);
      await some();
      await live.tick(600);
      await agree(live, ...others);
    }
    // What a gap hides is pending again with the next block.
    await live.call('devnet_gapFlashblock', 1);
    await some();
    await live.tick();
    await live.tick();
    await live.seal();
    await agree(live, ...others);
    await live.tick(1800);
    await live.call('devnet_gapFlashblock', 2);
    await some();
    await live.seal();
    await live.seal();
    await agree(live, ...others);
    expect(others.map(({ lines }) => lines)).toEqual([[], []]);
  });

  test('says so when a dev write is missing in the stream, stays at the block before, and goes on after it is undone', async () => {
    await using chain = await startChain({ blockTime: 2, flashblockInterval: 200, timestamp: 1_700_000_000 });
    const url = (await chain.node.listen('127.0.0.1', 0)).replace('http', 'ws');
    const other = await follower({ url });
    const strict = await follower({ url }, { strict: true });
    const ended = expect(strict.node.closed).rejects.toThrow(/^block 2 differs: stateRoot/);
    await chain.clock.advance(2000);
    await agree(chain, other, strict);
    const { address } = chain.node.accounts[3]!;
    await chain.sequencer.patch('outside', async ({ state }) => {
      const overlay = new Overlay(state);
      const account = (await overlay.getAccount(address)) ?? NEW_ACCOUNT;
      overlay.setAccount(address, { ...account, balance: 42n });
      return overlay.writes();
    });
    await chain.clock.advance(4000);
    await eventually(() => expect(other.lines.join()).toMatch(/^block 2 differs: stateRoot/));
    await ended;
    expect(await other.call('eth_blockNumber')).toBe('0x1');
    const metrics = await (await fetch(`${other.node.url}/metrics`)).text();
    expect(metrics).toMatch(/devnet_follow_mismatches_total [1-9]/);
    await chain.call('devnet_reorg', 3);
    await agree(chain, other);
  });
});

test('a forked chain is refused by name, and so is forking a follower', async () => {
  const live = await sequencer();
  const fork = await sequencer({ forkUrl: live.url.replace('ws', 'http'), timestamp: undefined as never });
  await expect(follower(fork)).rejects.toMatchObject({
    name: 'OtherChain',
    message: expect.stringMatching('forked'),
  });
  await expect(follower(live, { forkUrl: live.url })).rejects.toMatchObject({ name: 'OptionConflict' });
});

test('a follower without options has the genesis block and the rules of any chain', async () => {
  const words = 'legal winner thank year wave sausage worth useful legal winner thank yellow';
  for (const options of [
    { seed: 'another', accounts: 3, balance: '7.5' },
    { mnemonic: words, accounts: 2, balance: 5, fundAccounts: [`0x${'a1'.repeat(20)}:1`] },
    { compat: 'hardhat', blockTime: 2 },
    { preset: 'base', hardfork: 'prague', coinbase: `0x${'c0'.repeat(20)}`, number: 7 },
    { optimism: true, extraData: '0x00000000fa00000002', codeSizeLimit: 50_000 },
    { optimism: true, depositsOnly: true, extraData: '0x01' },
  ] as DevnetOptions[]) {
    const live = await sequencer(options);
    const other = await follower(live);
    await live.send();
    await live.seal();
    // Where blocks have no parts, each node builds its own pending block.
    if (options.preset !== 'base') await agree(live, other);
    const sealed = await live.call('eth_getBlockByNumber', 'latest', true);
    await eventually(
      async () => expect(await other.call('eth_getBlockByNumber', 'latest', true)).toEqual(sealed),
      { timeout: 10_000 },
    );
    const [first] = await live.call('eth_accounts');
    expect(await other.call('eth_accounts')).toEqual(await live.call('eth_accounts'));
    expect(await other.call('eth_sign', first, '0x01')).toBe(await live.call('eth_sign', first, '0x01'));
  }
});

test('what a node tells of its chain has no mnemonic and no keys', async () => {
  const words = 'legal winner thank year wave sausage worth useful legal winner thank yellow';
  const live = await sequencer({ mnemonic: words, accounts: 1, balance: 5, noMining: true });
  const { first } = live.accounts;
  expect(await live.call('devnet_chainOptions')).toEqual({
    options: { accounts: 0, balance: 5, noMining: true, fundAccounts: [`${first}:5.000000000000000000`] },
    chainId: 31337,
    genesis: {
      timestamp: 1_700_000_000,
      hash: (await live.call('eth_getBlockByNumber', 'earliest', false)).hash,
    },
  });
  const other = await follower(live);
  expect(other.node.accounts).toEqual([]);
  const withKeys = await follower(live, { mnemonic: words, accounts: 1 });
  expect(withKeys.node.accounts).toEqual(live.node.accounts);
});

test('metadata of a follower names the run of the other node and the head of the follower', async () => {
  const live = await sequencer();
  const other = await follower(live);
  await live.seal();
  await agree(live, other);
  const theirs = await live.call('anvil_metadata');
  expect(await other.call('anvil_metadata')).toEqual(theirs);
  const mined = await live.call('anvil_nodeInfo');
  expect(await other.call('anvil_nodeInfo')).toEqual(mined);
});

test('options that make another genesis block or other rules are refused by name', async () => {
  const live = await sequencer({ balance: 5 });
  await expect(follower(live, { seed: 'another' })).rejects.toMatchObject({ name: 'OtherChain' });
  await expect(follower(live, { hardfork: 'prague' })).rejects.toMatchObject({ name: 'OtherChain' });
});
