import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import type { Wire } from '../../wire.ts';
import { blockFiles, folder, removeFoldersAfterEachTest } from './cache-folder.ts';
import { chain, closeChainsAfterEachTest, encode, forkOf, original } from './chains.ts';
import { closeProxiesAfterEachTest, keepingServer, proxyOf } from './proxy.ts';

const servers: (() => void)[] = [];
afterEach(() => {
  for (const close of servers.splice(0)) close();
});
closeProxiesAfterEachTest();
removeFoldersAfterEachTest();
closeChainsAfterEachTest();

// `shadow` reads twice what it executes.
const FAST = { forkRetries: 0, engine: 'fast' } as const;

/** A node whose answers to single calls are rewritten; what is thrown ends the connection, what has a status is answered so. */
async function rewriting(url: string, rewrite: (call: Wire, answer: Wire, count: number) => Wire) {
  let count = 0;
  const server = keepingServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = JSON.parse(String(Buffer.concat(chunks))) as Wire;
    const calls: Wire[] = Array.isArray(body) ? body : [body];
    const answers: Wire[] = [];
    for (const call of calls) {
      const answer = await (await fetch(url, { method: 'POST', body: JSON.stringify(call) })).json();
      const written = rewrite(call, answer, count++);
      if (written?.http)
        return response.writeHead(written.http, written.headers ?? {}).end(written.body ?? '');
      answers.push(written);
    }
    const text = JSON.stringify(Array.isArray(body) ? answers : answers[0]);
    response.end(text);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  servers.push(() => {
    server.close();
    server.closeAllConnections();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

describe('requests to the node of a fork', () => {
  it('go out together: what several calls need at one time, and what one call will read', async () => {
    const one = await original();
    const proxy = await proxyOf(one.url);
    const fork = await forkOf(proxy, FAST);
    const balance = (n: number) =>
      fork.call('eth_call', { to: one.token, data: encode('balanceOf', one.accounts[n]) });
    proxy.seen.length = 0;
    expect(BigInt(await balance(1))).toBe(700n);
    // The token's account and the question for the access list; then what that has, in one batch.
    expect(proxy.seen.map(({ methods }) => methods.toSorted())).toEqual([
      ['eth_createAccessList', 'eth_getBalance', 'eth_getCode', 'eth_getTransactionCount'],
      ['eth_getStorageAt'],
    ]);
    proxy.seen.length = 0;
    const all = await Promise.all([2, 3, 4, 5, 6].map(balance));
    expect(all.map(BigInt)).toEqual([50n, 0n, 0n, 0n, 0n]);
    expect(proxy.seen.length).toBeLessThanOrEqual(2);
    expect(proxy.asked().filter((method) => method === 'eth_getStorageAt')).toHaveLength(5);
  });

  it('of a transaction take two rounds', async () => {
    const one = await original();
    const proxy = await proxyOf(one.url);
    const fork = await forkOf(proxy, FAST);
    proxy.seen.length = 0;
    const hash = await fork.send({ to: one.token, data: encode('transfer', one.accounts[8], 5n) });
    expect(await fork.receipt(hash)).toMatchObject({ status: '0x1' });
    expect(proxy.seen.length).toBeLessThanOrEqual(2);
    // What the transaction says itself needs no question.
    proxy.seen.length = 0;
    const storageKeys = [7, 8, 9].map((n) => `0x${n.toString().padStart(64, '0')}`);
    const accessList = [{ address: one.token, storageKeys }];
    await fork.send({ to: one.token, data: encode('transfer', one.accounts[7], 5n), accessList });
    expect(proxy.asked().filter((method) => method === 'eth_getStorageAt')).toHaveLength(4);
  });

  it('have no question for an access list where the last one of that function had nothing more', async () => {
    const one = await original();
    const proxy = await proxyOf(one.url);
    const fork = await forkOf(proxy, FAST);
    const balance = (n: number) =>
      fork.call('eth_call', { to: one.token, data: encode('balanceOf', one.accounts[n]) });
    await balance(1);
    await balance(2);
    proxy.seen.length = 0;
    await balance(3);
    expect(proxy.asked()).toEqual(['eth_getStorageAt']);
    // Another function of the contract isn't known.
    proxy.seen.length = 0;
    await fork.call('eth_call', {
      to: one.token,
      data: encode('allowance', one.accounts[1], one.accounts[2]),
    });
    expect(proxy.asked().toSorted()).toEqual(['eth_createAccessList', 'eth_getStorageAt']);
  });

  it('at the start are four: the newest block, the fork block, the dev accounts, what each block reads', async () => {
    const one = await original();
    const proxy = await proxyOf(one.url);
    await forkOf(proxy, FAST);
    expect(proxy.seen.map(({ methods }) => methods[0])).toEqual([
      'eth_blockNumber',
      'eth_getBlockByNumber',
      'eth_getBalance',
      'eth_getBalance',
    ]);
  });

  it('are joined while one is under way', async () => {
    const one = await original();
    const proxy = await proxyOf(one.url);
    const fork = await forkOf(proxy, FAST);
    proxy.seen.length = 0;
    const blocks = await Promise.all([1, 2, 3].map(() => fork.block('0x1')));
    expect(new Set(blocks.map(({ hash }) => hash)).size).toBe(1);
    expect(proxy.asked()).toEqual(['eth_getBlockByNumber']);
  });

  it('keep to a rate', async () => {
    const one = await original();
    const fork = await forkOf(one, { ...FAST, forkRateLimit: 100 });
    const began = performance.now();
    for (const digit of [1, 2])
      await Promise.all(
        [...Array(10).keys()].map((n) => fork.call('eth_getBalance', `0x${`${digit}${n}`.repeat(20)}`)),
      );
    // 30 calls each, 10 ms a call: the second ones wait for the time of the first ones.
    expect(performance.now() - began).toBeGreaterThan(290);
  });

  it('wait as long as Retry-After says', async () => {
    const one = await original();
    let refusedAt = 0;
    let after = 0;
    const url = await rewriting(one.url, (call, answer) => {
      if (call.method !== 'eth_getCode' || call.params[0] !== one.token) return answer;
      if (refusedAt === 0) {
        refusedAt = performance.now();
        return { http: 429, headers: { 'retry-after': '0.3' } };
      }
      after ||= performance.now() - refusedAt;
      return answer;
    });
    const fork = await chain({ forkUrl: url, forkRetryBackoff: 1 });
    expect(await fork.call('eth_getCode', one.token)).toMatch(/^0x60/);
    expect(after).toBeGreaterThanOrEqual(290);
  });

  it('go to the next node where one fails, has no such state, or is of another chain', async () => {
    const one = await original();
    const [first, second] = [await proxyOf(one.url), await proxyOf(one.url)];
    const other = await original({ seed: 'another' });
    const forkUrl = [first.url, other.url, second.url];
    const fork = await chain({ forkUrl, ...FAST });
    first.state.fault = () => ({ status: 503 });
    expect(await fork.call('eth_getCode', one.token)).toMatch(/^0x60/);
    expect(second.asked()).toContain('eth_getCode');
    second.state.fault = () => 'hang up';
    first.state.fault = () => undefined;
    expect(BigInt(await fork.call('eth_getBalance', one.token))).toBe(0n);
    first.state.fault = second.state.fault;
    await expect(fork.call('eth_getBalance', `0x${'ab'.repeat(20)}`)).rejects.toMatchObject({ code: -32000 });
    first.state.fault = () => ({
      status: 200,
      body: JSON.stringify(
        [0, 1, 2].map((id) => ({ id, error: { code: -32000, message: 'missing trie node' } })),
      ),
    });
    second.state.fault = () => undefined;
    expect(await fork.call('eth_getBalance', `0x${'ab'.repeat(20)}`)).toBe('0x0');
  });

  it('are proved with --fork-verify, and a lie is refused and not kept', async () => {
    const one = await original();
    let lie: (call: Wire, answer: Wire) => Wire = (_, answer) => answer;
    const url = await rewriting(one.url, (call, answer) => lie(call, answer));
    const forkCache = folder();
    const start = (more = {}) => chain({ forkUrl: url, forkBlockNumber: 3, forkCache, ...FAST, ...more });
    // Not proved: taken as it is told.
    const told = await start();
    const call = { to: one.token, data: encode('balanceOf', one.accounts[1]) };
    expect(BigInt(await told.call('eth_call', call))).toBe(700n);
    await told.node.close();
    const fork = await start({ forkVerify: true });
    expect(BigInt(await fork.call('eth_call', call))).toBe(700n);
    expect(await fork.call('eth_getBalance', `0x${'cd'.repeat(20)}`)).toBe('0x0');
    const lies: ((call: Wire, answer: Wire) => Wire)[] = [
      ({ method }, answer) => (method === 'eth_getCode' ? { ...answer, result: '0x6001' } : answer),
      ({ method }, answer) =>
        method === 'eth_getProof' ? { ...answer, result: { ...answer.result, accountProof: [] } } : answer,
      ({ method }, answer) =>
        method === 'eth_getProof'
          ? {
              ...answer,
              result: {
                ...answer.result,
                accountProof: answer.result.accountProof.map((node: string) => node.replace(/..$/, '77')),
              },
            }
          : answer,
    ];
    const size = readFileSync(blockFiles(forkCache)[0]!).length;
    for (const one of lies) {
      lie = one;
      await expect(fork.call('eth_getCode', `0x${'ef'.repeat(20)}`)).rejects.toMatchObject({ code: -32000 });
    }
    lie = ({ method }, answer) =>
      method === 'eth_getProof' && answer.result.storageProof.length > 0
        ? { ...answer, result: { ...answer.result, storageProof: [{ key: '0x0', value: '0x5', proof: [] }] } }
        : answer;
    await expect(fork.call('eth_getStorageAt', one.token, '0x2', 'latest')).rejects.toMatchObject({
      code: -32000,
    });
    expect(readFileSync(blockFiles(forkCache)[0]!).length).toBe(size);
    lie = (_, answer) => answer;
    expect(BigInt(await fork.call('eth_getStorageAt', one.token, '0x2', 'latest'))).toBeGreaterThan(0n);
  });
});

describe('an answer that is wrong', () => {
  const NOTHING: [string, (call: Wire, answer: Wire) => Wire][] = [
    ['has no result', (_, { id }) => ({ id })],
    ['is null', (_, answer) => ({ ...answer, result: null })],
    ['is a number', (_, answer) => ({ ...answer, result: 5 })],
    ['is a list', (_, answer) => ({ ...answer, result: [] })],
    ['is text', (_, answer) => ({ ...answer, result: 'hello' })],
    ['is an error', (_, { id }) => ({ id, error: { code: -32000, message: 'missing trie node' } })],
    ['has too many digits', (_, answer) => ({ ...answer, result: `0x1${'0'.repeat(64)}` })],
    ['is cut', () => ({ http: 200, body: '[{"jsonrpc":"2.0","id":0,"resu' })],
    ['is a page', () => ({ http: 200, body: '<html>' })],
    ['is HTTP 429', () => ({ http: 429 })],
    ['is HTTP 500', () => ({ http: 500 })],
    ['has another id', (_, answer) => ({ ...answer, id: 99 })],
  ];

  it('is a clear error whatever is wrong with it, and nothing of it is kept', async () => {
    const one = await original();
    let wrong: (call: Wire, answer: Wire) => Wire = (_, answer) => answer;
    const url = await rewriting(one.url, (call, answer) => wrong(call, answer));
    const forkCache = folder();
    const fork = await chain({ forkUrl: url, forkCache, ...FAST });
    const size = readFileSync(blockFiles(forkCache)[0]!).length;
    const reads: [string, ...unknown[]][] = [
      ['eth_getBalance', one.token],
      ['eth_getStorageAt', one.token, '0x2', 'latest'],
      ['eth_call', { to: one.token, data: encode('balanceOf', one.accounts[1]) }],
    ];
    for (const [name, rewrite] of NOTHING) {
      wrong = rewrite;
      for (const [method, ...params] of reads) {
        const error = await fork.call(method, ...params).catch((thrown) => thrown);
        expect([name, error.code, error.message]).toEqual([
          name,
          -32000,
          expect.stringMatching(/^the forked node 127\.0\.0\.1:\d+ did not answer eth_\w+: ./),
        ]);
      }
      expect([name, readFileSync(blockFiles(forkCache)[0]!).length]).toEqual([name, size]);
    }
    wrong = (_, answer) => answer;
    expect(BigInt(await fork.call('eth_call', reads[2]![1]))).toBe(700n);
  });

  it('names what is wrong with a block, a transaction or a receipt that is passed on', async () => {
    const cases: [string, string, (result: Wire) => Wire, string][] = [
      ['eth_getTransactionByHash', 'sent', (transaction) => ({ ...transaction, hash: '0x12' }), 'hash'],
      ['eth_getBlockByNumber', '0x2', (block) => ({ ...block, number: '0x1' }), 'number'],
      ['eth_getBlockByNumber', '0x1', ({ hash: _, ...block }) => block, 'hash'],
      [
        'eth_getTransactionReceipt',
        'sent',
        (receipt) => ({ ...receipt, transactionHash: `0x${'11'.repeat(32)}` }),
        'transactionHash',
      ],
      ['eth_getTransactionReceipt', 'sent', ({ logs: _, ...receipt }) => receipt, 'logs'],
      ['eth_getBlockReceipts', '0x2', ([receipt]) => [{ ...receipt, blockNumber: '0x1' }], 'blockNumber'],
      ['eth_getLogs', '0x2', ([log]) => [{ ...log, blockNumber: '0x1' }], 'blockNumber'],
      [
        'eth_getTransactionByBlockNumberAndIndex',
        '0x2',
        (it) => ({ ...it, blockNumber: '0x1' }),
        'blockNumber',
      ],
      [
        'eth_getTransactionByBlockNumberAndIndex',
        '0x2',
        (it) => ({ ...it, transactionIndex: '0x1' }),
        'transactionIndex',
      ],
    ];
    const paramsOf = (method: string, param: string): unknown[] => {
      if (param === 'sent') return [one.sent[0]];
      if (method === 'eth_getLogs') return [{ fromBlock: param, toBlock: param }];
      if (method === 'eth_getBlockReceipts') return [param];
      return [param, method.endsWith('AndIndex') ? '0x0' : false];
    };
    const one = await original();
    let [asked, wrong] = ['', (result: Wire) => result];
    const url = await rewriting(one.url, (call, answer) =>
      call.method === asked && answer.result ? { ...answer, result: wrong(answer.result) } : answer,
    );
    const forkCache = folder();
    const fork = await chain({ forkUrl: url, forkCache, ...FAST });
    for (const [method, param, rewrite, member] of cases) {
      [asked, wrong] = [method, rewrite];
      const params = paramsOf(method, param);
      // A receipt is passed on once its transaction is known to be there.
      await expect(fork.call(method, ...params)).rejects.toMatchObject({
        code: -32000,
        message: expect.stringMatching(new RegExp(`did not answer ${method}: ${member}: expected`)),
      });
      expect(readFileSync(blockFiles(forkCache)[0]!, 'utf8')).not.toMatch(
        `"method":"${method}","params":${JSON.stringify([params[0]]).slice(0, -1)}`,
      );
    }
  });

  it('at the start says what it was: a block with another hash than its fields give, or without fields', async () => {
    const one = await original();
    for (const wrong of [
      (block: Wire) => ({ ...block, timestamp: '0x1' }),
      (block: Wire) => ({ ...block, hash: `0x${'12'.repeat(32)}` }),
      ({ gasLimit: _, ...block }: Wire) => block,
    ]) {
      const url = await rewriting(one.url, (call, answer) =>
        call.method === 'eth_getBlockByNumber' ? { ...answer, result: wrong(answer.result) } : answer,
      );
      const forkCache = folder();
      await expect(chain({ forkUrl: url, forkCache, ...FAST })).rejects.toThrow(
        /^can't fork from http:.*: it answered eth_getBlockByNumber, and (hash|gasLimit): expected/,
      );
      expect(blockFiles(forkCache)).toEqual([]);
    }
  });
});
