import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createDevnet, type DevnetOptions, type ManualClock } from '../../src/index.ts';
import { WatchedHolds } from '../held-lookups.ts';
import { listen, liveNode } from '../live-node.ts';
import { callsOf, type Wire } from '../wire.ts';

type Live = Awaited<ReturnType<typeof liveNode>>;

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const node of open.splice(0)) await node.close();
  holds[Symbol.dispose]();
});

let holds: WatchedHolds;
beforeEach(() => {
  holds = new WatchedHolds();
});

/** Partial blocks come so seldom that a test which waits for one by mistake fails. */
async function start(options: DevnetOptions = { blockTime: 20, flashblockInterval: 10_000 }) {
  const live = await liveNode(options);
  open.push(live);
  return live;
}

/** A fork of a chain that has its genesis block only. */
async function startFork() {
  const other = await start({ automine: true });
  const options = { manualClock: true, blockTime: 20, flashblockInterval: 10_000, port: 0 };
  const node = await createDevnet({ ...options, forkUrl: other.url.replace('ws', 'http') });
  open.push(node);
  const call = callsOf(node);
  const [from] = await call('eth_accounts');
  return {
    other,
    call,
    clock: node.clock as ManualClock,
    send: (nonce: string): Promise<string> =>
      call('eth_sendTransaction', { from, to: from, gas: '0x5208', nonce }),
  };
}

const NO_PLACE = { blockHash: null, blockNumber: null, transactionIndex: null, blockTimestamp: null };

/** What is answered without waiting for a partial block. */
async function atOnce<T>(answer: Promise<T>): Promise<T> {
  const { expired } = holds;
  const value = await answer;
  expect(holds.expired).toBe(expired);
  return value;
}

/** Lets a request begin. */
const turn = () => new Promise((resolve) => setImmediate(resolve));

const lookUp = ({ call }: Pick<Live, 'call'>, hash: string) => call('eth_getTransactionByHash', hash);

async function batch({ url }: Live, ...calls: [method: string, ...params: unknown[]][]): Promise<Wire[]> {
  const response = await fetch(url.replace('ws', 'http'), {
    method: 'POST',
    body: JSON.stringify(calls.map(([method, ...params], id) => ({ jsonrpc: '2.0', id, method, params }))),
  });
  const answers = (await response.json()) as Wire[];
  expect(answers.map(({ id }) => id)).toEqual(calls.map((_, id) => id));
  return answers.map(({ result }) => result);
}

describe('a waiting transaction is found by its hash, without a block', () => {
  const MODES: Record<string, DevnetOptions> = {
    'automine, behind a nonce gap': { automine: true },
    manual: { noMining: true },
    'interval without partial blocks': { blockTime: 20, flashblockInterval: 0 },
    'interval, behind a nonce gap': { blockTime: 20, flashblockInterval: 10_000 },
    'mixed, behind a nonce gap': { mixedMining: true, blockTime: 20, flashblockInterval: 10_000 },
    'anvil, behind a nonce gap': { compat: 'anvil' },
    'hardhat, mined by hand': { compat: 'hardhat', noMining: true },
    'hardhat2, mined by hand': { compat: 'hardhat2', noMining: true },
  };
  test.each(Object.keys(MODES))('%s', async (name) => {
    const live = await start(MODES[name]!);
    const hash = await live.send(live.accounts.first, { gas: '0x5208', nonce: '0x1' });
    expect(await atOnce(lookUp(live, hash))).toMatchObject({ hash, nonce: '0x1', ...NO_PLACE });
    const raw = await live.call('eth_getRawTransactionByHash', hash);
    expect(raw).toMatch(/^0x02/);
    expect(await live.call('debug_getRawTransaction', hash)).toBe(raw);
    expect(await live.call('eth_getTransactionReceipt', hash)).toBeNull();
  });

  test('on a forked chain, whose other node is not asked', async () => {
    const live = await startFork();
    const queued = await live.send('0x1');
    open.splice(open.indexOf(live.other), 1);
    await live.other.close();
    expect(await atOnce(lookUp(live, queued))).toMatchObject({ hash: queued, ...NO_PLACE });
    expect(await live.call('eth_getRawTransactionByHash', queued)).toMatch(/^0x02/);
  });

  test('fees are those that it offers', async () => {
    const live = await start({ noMining: true });
    const [maxFeePerGas, maxPriorityFeePerGas] = ['0x77359400', '0x1'];
    const hash = await live.send(live.accounts.first, { gas: '0x5208', maxFeePerGas, maxPriorityFeePerGas });
    expect(await lookUp(live, hash)).toMatchObject({
      gasPrice: maxFeePerGas,
      maxFeePerGas,
      maxPriorityFeePerGas,
    });
  });
});

describe('while partial blocks are on', () => {
  test('the answer is held until the transaction is pre-confirmed', async () => {
    const live = await start();
    const hash = await live.send();
    const looking = lookUp(live, hash);
    await turn();
    await live.tick(10_000);
    const { hash: blockHash, number: blockNumber } = await live.call(
      'eth_getBlockByNumber',
      'pending',
      false,
    );
    expect(await atOnce(looking)).toMatchObject({ hash, blockHash, blockNumber, transactionIndex: '0x0' });
  });

  test.each(['in its batch', 'alone'])('a look-up by sender and nonce is held, too, %s', async (how) => {
    const live = await start();
    const hash = await live.send();
    const { first } = live.accounts;
    const call: [string, ...unknown[]] = ['eth_getTransactionBySenderAndNonce', first, '0x0'];
    const looking =
      how === 'alone' ? live.call(...call) : batch(live, call, ['eth_getTransactionByHash', hash]);
    await holds.begun(how === 'alone' ? 1 : 2);
    await live.tick(10_000);
    const found = await atOnce(looking);
    const { hash: blockHash } = await live.call('eth_getBlockByNumber', 'pending', false);
    for (const one of how === 'alone' ? [found] : found) expect(one).toMatchObject({ hash, blockHash });
    // Behind a nonce gap the next partial block doesn't take it.
    const queued = await live.send(first, { gas: '0x5208', nonce: '0x5' });
    expect(await atOnce(live.call('eth_getTransactionBySenderAndNonce', first, '0x5'))).toMatchObject({
      hash: queued,
      ...NO_PLACE,
    });
    expect(await atOnce(live.call('eth_getTransactionBySenderAndNonce', first, '0x7'))).toBeNull();
  });

  test('over WebSocket other requests are answered meanwhile', async () => {
    const live = await start();
    const { socket, take } = await listen(live.url);
    const hash = await live.send();
    const requests = [['eth_getTransactionByHash', hash], ['eth_blockNumber']];
    for (const [id, [method, ...params]] of requests.entries())
      socket.send(JSON.stringify({ jsonrpc: '2.0', id, method, params }));
    expect(await take(1)).toMatchObject([{ id: 1, result: '0x0' }]);
    await live.tick(10_000);
    expect(await atOnce(take(1))).toMatchObject([{ id: 0, result: { hash, blockNumber: '0x1' } }]);
    socket.close();
  });

  test('in mixed mode one whose send was answered is in a block', async () => {
    const live = await start({ mixedMining: true, blockTime: 20, flashblockInterval: 10_000 });
    const hash = await live.send();
    expect((await atOnce(lookUp(live, hash))).blockNumber).toBe('0x1');
  });

  test('on a forked chain, too', async () => {
    const live = await startFork();
    const hash = await live.send('0x0');
    const looking = lookUp(live, hash);
    await turn();
    await live.clock.advance(10_000);
    expect((await atOnce(looking)).blockNumber).toBe('0x1');
  });

  test('the bytes are answered at once: they are the same in a block', async () => {
    const live = await start();
    const hash = await live.send();
    const raw = await atOnce(live.call('eth_getRawTransactionByHash', hash));
    expect(await atOnce(live.call('debug_getRawTransaction', hash))).toBe(raw);
    await live.tick(10_000);
    expect(await live.call('eth_getRawTransactionByHash', hash)).toBe(raw);
  });

  test('one that the next partial block would not take is answered at once', async () => {
    const live = await start();
    const low = { gas: '0x5208', maxFeePerGas: '0x1', maxPriorityFeePerGas: '0x1' };
    const first = await live.send(live.accounts.first, low);
    const second = await live.send();
    for (const hash of [first, second])
      expect(await atOnce(lookUp(live, hash))).toMatchObject({ hash, ...NO_PLACE });
  });

  test('one that is not taken is answered after one and a half intervals', async () => {
    const live = await start({ blockTime: 2, flashblockInterval: 100 });
    const hash = await live.send();
    const begun = performance.now();
    expect(await lookUp(live, hash)).toMatchObject({ hash, ...NO_PLACE });
    expect(performance.now() - begun).toBeGreaterThan(140);
  });

  test('a dev write, which publishes an empty partial block, does not end the hold', async () => {
    const live = await start();
    const hash = await live.send();
    const looking = lookUp(live, hash);
    await turn();
    await live.call('anvil_setBalance', live.accounts.second, '0x1');
    await live.tick(10_000);
    expect((await atOnce(looking)).blockNumber).toBe('0x1');
  });

  test('one that does not fit into the partial block is answered with it', async () => {
    const live = await start({ blockTime: 20, flashblockInterval: 10_000, maxTransactions: 1 });
    const cap = { maxFeePerGas: '0x2540be400' };
    await live.send(live.accounts.second, { ...cap, maxPriorityFeePerGas: '0x3b9aca00' });
    const hash = await live.send(live.accounts.first, { ...cap, maxPriorityFeePerGas: '0x1' });
    const looking = lookUp(live, hash);
    await turn();
    await live.tick(10_000);
    expect(await atOnce(looking)).toMatchObject({ hash, ...NO_PLACE });
  });

  describe('a held one is answered as it waited', () => {
    const ENDINGS: Record<string, (live: Live, hash: string) => Promise<unknown>> = {
      dropped: ({ call }, hash) => call('anvil_dropTransaction', hash),
      'dropped with all': ({ call }) => call('anvil_dropAllTransactions'),
      'passed by its nonce': ({ call, accounts }) => call('anvil_setNonce', accounts.first, '0x9'),
      replaced: ({ send, accounts }) =>
        send(accounts.first, {
          nonce: '0x0',
          maxFeePerGas: '0x9502f9000',
          maxPriorityFeePerGas: '0x77359400',
        }),
      'reverted with its chain': async ({ call }) => call('evm_revert', '0x1'),
      'left by a switch to blocks on demand': ({ call }) => call('evm_setIntervalMining', 0),
    };
    test.each(Object.keys(ENDINGS))('when it is %s', async (name) => {
      const live = await start();
      await live.call('evm_snapshot');
      const hash = await live.send();
      const looking = lookUp(live, hash);
      await turn();
      await ENDINGS[name]!(live, hash);
      expect(await atOnce(looking)).toMatchObject({ hash, ...NO_PLACE });
    });

    test('when the chain is stopped', async () => {
      const live = await start();
      const hash = await live.send();
      const looking = lookUp(live, hash);
      await turn();
      open.pop();
      await live.close();
      expect(await atOnce(looking)).toMatchObject({ hash, ...NO_PLACE });
    });
  });

  test('a switch to automine answers a held one', async () => {
    const live = await start();
    const hash = await live.send();
    const looking = lookUp(live, hash);
    await turn();
    await live.call('evm_setAutomine', true);
    expect(await atOnce(looking)).toMatchObject({ hash });
  });

  test('an unknown one is null at once', async () => {
    const live = await start();
    await live.send();
    expect(await atOnce(lookUp(live, `0x${'12'.repeat(32)}`))).toBeNull();
    await expect(lookUp(live, '0x12')).rejects.toMatchObject({ code: -32602 });
  });
});

describe('in a batch', () => {
  test('look-ups are held together, and agree with the other reads', async () => {
    const live = await start();
    const hashes = [await live.send(), await live.send(), await live.send(live.accounts.second)];
    const answering = batch(
      live,
      ['eth_getTransactionReceipt', hashes[0]],
      ...hashes.map((hash) => ['eth_getTransactionByHash', hash] as [string, string]),
      ['eth_getBlockByNumber', 'pending', false],
    );
    await holds.begun(3);
    await live.tick(10_000);
    const [receipt, first, second, third, pending] = await atOnce(answering);
    for (const found of [receipt, first, second, third]) expect(found.blockHash).toBe(pending.hash);
    expect([first, second, third].map(({ hash }) => hash)).toEqual(hashes);
  });

  test('one that comes after a send is held once for all of them', async () => {
    const live = await start();
    const raws: string[] = [];
    for (const nonce of ['0x0', '0x1'])
      raws.push(
        await live.call('eth_signTransaction', {
          from: live.accounts.first,
          to: live.accounts.second,
          gas: '0x5208',
          nonce,
          maxFeePerGas: '0x2540be400',
          maxPriorityFeePerGas: '0x1',
        }),
      );
    const hashes = await Promise.all(raws.map((raw) => live.call('web3_sha3', raw)));
    const answering = batch(
      live,
      ...raws.flatMap((raw, i): [string, string][] => [
        ['eth_sendRawTransaction', raw],
        ['eth_getTransactionByHash', hashes[i]],
      ]),
    );
    await holds.begun(1);
    await live.tick(10_000);
    const [, first, , second] = await atOnce(answering);
    expect(first).toMatchObject({ hash: hashes[0], blockNumber: '0x1' });
    expect(second).toMatchObject({ hash: hashes[1], ...NO_PLACE });
  });

  test('one that is included after the moment of the batch is found as it waited then', async () => {
    const live = await start({ noMining: true });
    const hash = await live.send();
    const [number, found, , later] = await batch(
      live,
      ['eth_blockNumber'],
      ['eth_getTransactionByHash', hash],
      ['evm_mine'],
      ['eth_getTransactionByHash', hash],
    );
    expect([number, found.blockNumber, later.blockNumber]).toEqual(['0x0', null, '0x1']);
  });
});
