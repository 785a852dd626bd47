import { describe, expect, it } from 'vitest';
import type { ManualClock } from '../../../src/clock.ts';
import { chain, closeChainsAfterEachTest, encode, forkOf, original } from './chains.ts';
import { closeProxiesAfterEachTest, type Fault, proxyOf } from './proxy.ts';
import { MODES, refuse } from './refusing.ts';

closeProxiesAfterEachTest();

closeChainsAfterEachTest();

/** No time is lost between attempts. */
const FAST = { forkRetryBackoff: 0 };
const STATE = ['eth_getBalance', 'eth_getStorageAt'];
const isState = (methods: readonly string[]) => STATE.includes(methods[0]!);

async function faulty(options: Parameters<typeof forkOf>[1] = {}) {
  const one = await original();
  const proxy = await proxyOf(one.url);
  const fork = await forkOf(proxy, { ...FAST, ...options });
  const balance = (n: number, ref = 'latest') =>
    fork.call('eth_call', { to: one.token, data: encode('balanceOf', one.accounts[n]) }, ref);
  const transfer = (n: number, more: object = {}) =>
    fork.send({ to: one.token, data: encode('transfer', one.accounts[n], 1n), ...more });
  /** Lets requests for state fail, the first so many of them or all. */
  const fail = (fault: Fault, times = Number.POSITIVE_INFINITY) => {
    let left = times;
    proxy.state.fault = (methods) => (isState(methods) && left-- > 0 ? fault : undefined);
  };
  return { one, proxy, fork, balance, transfer, fail };
}

describe('the node of a forked chain', () => {
  it.each<[string, Fault]>([
    ['HTTP 429', { status: 429 }],
    ['HTTP 503', { status: 503 }],
    ['no connection', 'hang up'],
    ['an answer that is not JSON, with HTTP 502', { status: 502, body: '<html>' }],
  ])('that answers with %s is asked again', async (_, fault) => {
    const { balance, fail } = await faulty();
    fail(fault, 4);
    expect(BigInt(await balance(1))).toBe(700n);
  });

  it('that does not tell what the end of a block reads keeps the block from being made', async () => {
    const { fork, fail, proxy } = await faulty();
    // PUSH1 0x77, SLOAD, POP, STOP where the block looks for withdrawal requests (EIP-7002).
    await fork.call('anvil_setCode', '0x00000961ef480eb55e80d19ad83579a64c007002', '0x6077545000');
    fail('hang up');
    await expect(fork.call('evm_mine')).rejects.toMatchObject({ code: -32000 });
    expect(await fork.call('eth_blockNumber')).toBe('0x3');
    proxy.state.fault = () => undefined;
    await fork.call('evm_mine');
    expect(await fork.call('eth_blockNumber')).toBe('0x4');
  });

  it('that is silent is asked again after the time limit', async () => {
    const { balance, fail } = await faulty({ forkTimeout: 300, forkRetries: 50 });
    fail('hang', 2);
    expect(BigInt(await balance(1))).toBe(700n);
  });

  it.each<[string, Fault, RegExp]>([
    ['not at all', 'hang up', /after 6 attempts/],
    ['too many requests', { status: 429 }, /HTTP 429, after 6 attempts/],
    ['that it takes no such request', { status: 401 }, /HTTP 401$/],
    ['what is not JSON', { status: 200, body: 'hello' }, /not JSON/],
    ['what is no answer', { status: 200, body: '[]' }, /without a result/],
    [
      'an error',
      { status: 200, body: '{"id":1,"error":{"code":-32000,"message":"missing trie node"}}' },
      /missing trie node/,
    ],
  ])(
    'that answers %s fails the call, which says what was asked of whom, and nothing else',
    async (_, fault, reason) => {
      const { fork, balance, transfer, fail, proxy } = await faulty();
      fail(fault);
      const expected = { code: -32000, message: expect.stringMatching(reason) };
      await expect(balance(1)).rejects.toMatchObject(expected);
      await expect(balance(1)).rejects.toMatchObject({
        message: expect.stringMatching(`127.0.0.1:${proxy.port}`),
      });
      await expect(
        fork.call('debug_traceCall', { to: `0x${'dd'.repeat(20)}`, value: '0x1' }, 'latest', {
          tracer: 'prestateTracer',
        }),
      ).rejects.toMatchObject({ code: -32000 });
      // A transaction is not sealed on what isn't known: automine tells its sender, and the nonce is free.
      await expect(transfer(4)).rejects.toMatchObject(expected);
      expect(await fork.call('eth_blockNumber')).toBe('0x3');
      expect(await fork.call('eth_getTransactionCount', fork.accounts[0], 'pending')).toBe('0x3');
      proxy.state.fault = () => undefined;
      expect(await fork.receipt(await transfer(4))).toMatchObject({ status: '0x1', blockNumber: '0x4' });
      expect(BigInt(await balance(4))).toBe(1n);
    },
  );

  it('an error of it is not asked for again', async () => {
    const { fork, proxy } = await faulty();
    const before = proxy.seen.length;
    await expect(fork.call('eth_getBalance', fork.accounts[0], '0x99')).rejects.toMatchObject({
      code: -32000,
    });
    await expect(fork.call('eth_getProof', fork.accounts[0], ['0xzz'], '0x1')).rejects.toMatchObject({
      code: -32602,
    });
    await expect(
      fork.call(
        'eth_call',
        { to: fork.accounts[0], maxFeePerGas: '0x1', maxPriorityFeePerGas: '0x2' },
        '0x1',
      ),
    ).rejects.toMatchObject({
      code: -32003,
    });
    expect(proxy.seen.length).toBe(before + 1);
  });

  it('without which a block is built leaves out the transaction that needs it, and the chain goes on', async () => {
    const { fork, transfer, fail } = await faulty({
      automine: false,
      blockTime: 2,
      flashblockInterval: 200,
      forkRetries: 0,
    });
    const clock = fork.node.clock as ManualClock;
    const [first, second] = fork.accounts;
    await fork.call('anvil_setBalance', second, '0xde0b6b3a7640000');
    fail('hang up');
    const bad = await transfer(5);
    const good = await fork.send({ from: second, to: first, value: '0x1' });
    await clock.advance(4000);
    expect(await fork.receipt(bad)).toBeNull();
    expect(await fork.receipt(good)).toMatchObject({ status: '0x1', blockNumber: '0x4' });
    const pool = await fork.call('txpool_status');
    expect(pool).toEqual({ pending: '0x0', queued: '0x0' });
    fail(undefined);
    const again = await transfer(5, { nonce: '0x3' });
    await clock.advance(4000);
    expect(await fork.receipt(again)).toMatchObject({ status: '0x1' });
  });

  it('that refuses leaves nothing of a call that needs it, and the recording replays', async () => {
    const one = await original();
    const proxy = await proxyOf(one.url);
    const flashblocks = MODES['with flashblocks']!;
    for (const method of ['devnet_reorg', 'evm_setIntervalMining'])
      expect(await refuse({ one, proxy, mode: flashblocks, method })).toBeGreaterThan(0);
    const failed = await refuse({ one, proxy, mode: MODES.automine!, method: 'evm_revert' });
    expect(failed).toBeGreaterThan(0);
  });

  it('does not end the chain: a block that the timer makes is tried again', async () => {
    const { fork, proxy } = await faulty({
      automine: false,
      blockTime: 2,
      flashblockInterval: 200,
      forkRetries: 0,
    });
    const clock = fork.node.clock as ManualClock;
    // NUMBER, SLOAD, POP, STOP at the end of each block (EIP-7002).
    await fork.call('anvil_setCode', '0x00000961ef480eb55e80d19ad83579a64c007002', '0x4354505000');
    proxy.state.fault = () => 'hang up';
    for (let i = 0; i < 20; i++) await clock.advance(200);
    expect(await fork.call('eth_blockNumber')).toBe('0x3');
    const hash = await fork.send({ to: fork.accounts[1], value: '0x1' });
    proxy.state.fault = () => undefined;
    for (let i = 0; i < 20; i++) await clock.advance(200);
    expect(BigInt(await fork.call('eth_blockNumber'))).toBeGreaterThan(3n);
    expect(await fork.receipt(hash)).toMatchObject({ status: '0x1' });
  });

  it('tells who waits for a transaction why it is not included', async () => {
    const { fork, fail } = await faulty({
      automine: false,
      blockTime: 2,
      flashblockInterval: 200,
      forkRetries: 0,
    });
    fail('hang up');
    const raw = await fork.call('eth_signTransaction', {
      from: fork.accounts[0],
      to: '0x00000000000000000000000000000000000000cc',
      value: '0x1',
      gas: '0x5208',
      nonce: '0x3',
      maxFeePerGas: '0x77359400',
      maxPriorityFeePerGas: '0x1',
      chainId: '0x7a69',
    });
    const sent = fork.call('eth_sendRawTransactionSync', raw.raw ?? raw);
    sent.catch(() => {});
    await (fork.node.clock as ManualClock).advance(200);
    await expect(sent).rejects.toMatchObject({ message: expect.stringMatching('did not answer') });
  });

  it('is asked for what a transaction reads while that waits, not while its block is built', async () => {
    const { fork, proxy, transfer } = await faulty({
      automine: false,
      blockTime: 2,
      flashblockInterval: 200,
    });
    proxy.seen.length = 0;
    const hash = await transfer(6);
    const slots = () => proxy.asked().filter((method) => method === 'eth_getStorageAt').length;
    // Both holders' balances.
    while (slots() < 2) await new Promise(setImmediate);
    proxy.state.fault = () => 'hang';
    const asked = proxy.seen.length;
    await (fork.node.clock as ManualClock).advance(2000);
    expect(await fork.receipt(hash)).toMatchObject({ status: '0x1' });
    expect(proxy.seen.length).toBe(asked);
  });

  it('need not take batches', async () => {
    const { proxy, balance } = await faulty();
    proxy.state.batches = false;
    expect(BigInt(await balance(2))).toBe(50n);
    expect(proxy.seen.at(-1)!.methods).toHaveLength(1);
  });

  it('gets the headers and the password that were given, and they are not told', async () => {
    const one = await original();
    const proxy = await proxyOf(one.url);
    const url = `http://me:s%40cret@127.0.0.1:${proxy.port}/v2/key?k=1`;
    const forkHeaders = ['X-Api: a, b', 'Cookie: c=d'];
    const fork = await chain({ forkUrl: url, forkHeaders, ...FAST });
    expect(proxy.seen.at(-1)!.headers).toMatchObject({
      'x-api': 'a, b',
      cookie: 'c=d',
      authorization: `Basic ${Buffer.from('me:s@cret').toString('base64')}`,
    });
    expect((await fork.call('anvil_nodeInfo')).forkConfig.forkUrl).toBe(
      `http://127.0.0.1:${proxy.port}/v2/key?k=1`,
    );
    expect(fork.node.fork?.endpoint).toBe(`http://127.0.0.1:${proxy.port}`);
    proxy.state.fault = () => ({ status: 403 });
    const error = await fork.call('eth_getBalance', one.token, '0x1').catch((e) => e);
    expect(error.message).not.toMatch(/cret|key|v2/);
    await expect(chain({ forkUrl: url, ...FAST })).rejects.toThrow(
      /^can't fork from http:\/\/127\.0\.0\.1:\d+\/v2\/\.\.\.: HTTP 403; check the key in the URL, or give one with --fork-header$/,
    );
  });

  it('is let go of when this one is closed, whatever is under way', async () => {
    const { fork, proxy, balance, fail } = await faulty();
    fail('hang');
    const read = balance(1).catch((error) => error);
    while (!isState(proxy.seen.at(-1)!.methods)) await new Promise(setImmediate);
    await fork.node.close();
    expect(await read).toMatchObject({ message: expect.stringMatching('asked no more') });
  });
});
