import { inspect } from 'node:util';
import { describe, expect, test } from 'vitest';
import { LogStore } from '../../src/chain-log/log-store.ts';
import { encodeLine } from '../../src/recorder/lines.ts';
import { eventually } from '../eventually.ts';
import { HAS_REDIS, useRedis } from '../redis-server.ts';
import { agree, cleanAfterEachTest, follower, leader, post } from './nodes.ts';

const redis = useRedis();
cleanAfterEachTest(redis);

const SECRET = 'legal winner thank year wave sausage worth useful legal winner thank yellow';

describe.skipIf(!HAS_REDIS)('a chain in Redis', () => {
  test('has the same blocks and flashblocks on the leader and its followers', async () => {
    const live = await leader(redis.url);
    const early = await follower(redis.url);
    const [first, second] = await live.call('eth_accounts');
    for (let block = 0; block < 3; block++) {
      for (let tick = 0; tick < 10; tick++) {
        await live.call('eth_sendTransaction', { from: first, to: second, value: '0x1' });
        if (tick === 3) await live.call('anvil_setBalance', second, `0x${(tick + 7).toString(16)}`);
        await live.call('devnet_tick');
      }
      await agree(live, early);
    }
    const late = await follower(redis.url);
    await agree(live, early, late);
    expect(await late.call('devnet_status')).toMatchObject({
      role: 'follower',
      waiting: 0,
      leader: live.url,
      head: { number: '0x3' },
    });
    expect(await live.call('devnet_status')).toMatchObject({ role: 'leader', leader: live.url });
  });

  test('goes through dev calls, snapshots, reverts and failures on demand', async () => {
    const live = await leader(redis.url, { mnemonic: SECRET, accounts: 2, balance: 5, seed: 'own' });
    const other = await follower(redis.url);
    const [first, second] = await live.call('eth_accounts');
    const send = (from = first) => live.call('eth_sendTransaction', { from, to: second, value: '0x1' });
    const stranger = `0x${'5e'.repeat(20)}`;
    const id = await live.call('evm_snapshot');
    for (const step of [
      () => live.call('anvil_setBalance', stranger, '0xde0b6b3a7640000'),
      () => live.call('anvil_impersonateAccount', stranger),
      () => send(stranger),
      () => live.call('evm_increaseTime', 100),
      () => live.call('evm_mine'),
      () => live.call('anvil_setStorageAt', stranger, '0x0', `0x${'01'.repeat(32)}`),
      async () => {
        const hash = await send();
        await live.call('devnet_tick');
        await live.call('devnet_failPreconfirmed', hash);
      },
      () => live.call('devnet_reorg', 1),
      () => live.call('devnet_skipFlashblocks', 2),
      () => live.call('anvil_setNextBlockBaseFeePerGas', '0x3b9aca00'),
      () => live.call('evm_setAutomine', true),
      () => send(),
      () => live.call('evm_setIntervalMining', 1),
      () => live.call('evm_revert', id),
      () => live.call('anvil_reset'),
    ]) {
      await step();
      await send();
      await live.call('devnet_tick');
      await agree(live, other);
    }
    expect(await other.call('eth_accounts')).toEqual([first, second]);
    expect(other.lines).toEqual([]);
  });

  test.each(['redis://:secret@127.0.0.1:1', 'rediss://user:secret@127.0.0.1:1', 'redis:secret'])(
    'never shows the password of %s',
    async (url) => {
      for (const start of [leader, follower]) {
        const error = await start(url).catch((reason: Error) => reason);
        expect(String(error)).toMatch(/Redis/);
        expect(inspect(error, { depth: 5 })).not.toMatch('secret');
      }
    },
  );

  test('has one leader', async () => {
    const live = await leader(redis.url);
    await expect(leader(redis.url)).rejects.toThrow(`${live.url} leads this chain`);
    const other = await leader(redis.url, { chainId: 5 });
    await expect(follower(redis.url)).rejects.toThrow('chains 31337, 5');
    const one = await follower(redis.url, { chainId: 5 });
    await agree(other, one);
  });

  test('is answered by a follower as far as a write that it passed on', async () => {
    await leader(redis.url, { automine: true, manualClock: false, timestamp: undefined as never });
    const other = await follower(redis.url);
    const [from, to] = await other.call('eth_accounts');
    for (let nonce = 0; nonce < 20; nonce++) {
      const hash = await other.call('eth_sendTransaction', { from, to, value: '0x1' });
      expect(await other.call('eth_getTransactionReceipt', hash)).toMatchObject({ status: '0x1' });
    }
    await other.call('anvil_setBalance', to, '0x7');
    expect(await other.call('eth_getBalance', to)).toBe('0x7');
    await expect(
      other.call('eth_sendTransaction', { from, to, nonce: '0x0', value: '0x1' }),
    ).rejects.toMatchObject({ code: -32003 });
  });

  test('gives positions over HTTP, and waits for one that is asked for', async () => {
    const live = await leader(redis.url);
    const other = await follower(redis.url);
    const [from, to] = await live.call('eth_accounts');
    const sent = await post(live.url, 'eth_sendTransaction', [{ from, to, value: '0x1' }]);
    expect(sent.position).toMatch(/^\d+-\d+$/);
    const { position } = await post(live.url, 'devnet_tick');
    const nonce = await post(other.url, 'eth_getTransactionCount', [from, 'pending'], {
      'devnet-position': position,
    });
    expect(nonce.body.result).toBe('0x1');
    expect(nonce.position).toBe(position);
    const plain = await post(other.url, 'eth_blockNumber');
    expect(plain.position).toBe(position);
    const own = await post(live.url, 'eth_blockNumber', [], { 'devnet-position': position });
    expect(own).toMatchObject({ status: 200, position });
    const refused = await post(other.url, 'eth_blockNumber', [], { 'devnet-position': 'none' });
    expect(refused).toMatchObject({ status: 503, position, body: { error: { code: -32000 } } });
  });

  const hash = `0x${'00'.repeat(32)}`;
  const tick = encodeLine({ tick: 1_700_000_000_200 });
  const result = encodeLine({ flashblock: 1, block: '1', transactions: [], stateRoot: hash, hash });
  test.each([
    ['the first difference', 1, [tick, result], /leader's: block 1, index 1: stateRoot: expected 0x00/],
    ['a changed line', 1, [tick.replace('200', '201')], /checksum is wrong/],
    ['a missing task', 2, [tick], /tasks between are lost/],
  ])('ends a follower at %s', async (_what, ahead, lines, reason) => {
    await leader(redis.url);
    const other = await follower(redis.url);
    const ended = expect(other.node.closed).rejects.toThrow(reason);
    const store = await LogStore.open(redis.url, 31337n);
    const last = await store.last();
    await store.append({ position: { ...last, task: last.task + ahead }, at: 0, tasks: [lines] }, last);
    store.redis.destroy();
    await ended;
    // It stops serving by itself.
    await eventually(() => expect(fetch(other.url)).rejects.toThrow());
  });

  test('with another hardfork ends a follower at the first block, naming the field', async () => {
    const live = await leader(redis.url);
    await live.call('devnet_tick');
    await expect(follower(redis.url, { hardfork: 'cancun' })).rejects.toThrow(
      /^this chain differs from the leader's: block 1, index 0: \w+: expected 0x\w+, got 0x\w+/,
    );
  });
});
