import { describe, expect, it } from 'vitest';
import { closeChainsAfterEachTest, encode, forkOf, hex, original, type TestChain } from './chains.ts';
import { closeProxiesAfterEachTest, proxyOf } from './proxy.ts';

closeProxiesAfterEachTest();

closeChainsAfterEachTest();

const trace = { tracer: 'callTracer' };
const NOT_FOUND = { code: -32000 };

/** A chain, a fork of it at block 3, and the other chain's block 4 with a transaction. */
async function parted(options: Parameters<typeof forkOf>[1] = {}) {
  const one = await original();
  const fork = await forkOf(one, options);
  const hash = await one.send({ to: one.token, data: encode('transfer', one.accounts[3], 1n) });
  const raw = await one.call('eth_getRawTransactionByHash', hash);
  const later = await one.block('0x4');
  return { one, fork, hash, raw, later };
}

type Reads = readonly (readonly [method: string, ...params: unknown[]])[];

/** What finds a transaction by its hash, with the answer where there is none. */
const byTransaction = (hash: string): readonly (readonly [Reads[number], unknown])[] => [
  [['eth_getTransactionByHash', hash], null],
  [['eth_getTransactionReceipt', hash], null],
  [['eth_getRawTransactionByHash', hash], null],
  [['debug_getRawTransaction', hash], '0x'],
  [['debug_traceTransaction', hash, trace], NOT_FOUND],
  [['debug_traceTransaction', hash], NOT_FOUND],
  [['trace_transaction', hash], null],
  [['trace_replayTransaction', hash, ['trace']], null],
  [['ots_getInternalOperations', hash], NOT_FOUND],
  [['ots_traceTransaction', hash], []],
  [['ots_getTransactionError', hash], '0x'],
];

/** What finds a block by its hash, with the answer where there is none. */
const byBlock = (hash: string, account: string): readonly (readonly [Reads[number], unknown])[] => [
  [['eth_getBlockByHash', hash, true], null],
  [['eth_getHeaderByHash', hash], null],
  [['eth_getBlockReceipts', hash], null],
  [['eth_getBlockReceipts', { blockHash: hash }], null],
  [['eth_getBlockTransactionCountByHash', hash], null],
  [['eth_getTransactionByBlockHashAndIndex', hash, '0x0'], null],
  [['eth_getRawTransactionByBlockHashAndIndex', hash, '0x0'], null],
  [['eth_getUncleCountByBlockHash', hash], null],
  [['eth_getUncleByBlockHashAndIndex', hash, '0x0'], null],
  [['ots_getBlockDetailsByHash', hash], null],
  [['eth_getLogs', { blockHash: hash }], NOT_FOUND],
  [['debug_traceBlockByHash', hash, trace], NOT_FOUND],
  [['debug_getRawBlock', hash], NOT_FOUND],
  [['debug_getRawHeader', hash], NOT_FOUND],
  [['debug_getRawReceipts', hash], NOT_FOUND],
  [['debug_storageRangeAt', hash, 0, account, '0x', 10], NOT_FOUND],
  [['debug_traceCall', { to: account }, hash, trace], NOT_FOUND],
  [['trace_call', { to: account }, ['trace'], hash], NOT_FOUND],
  [['eth_getBalance', account, hash], NOT_FOUND],
  [['eth_getBalance', account, { blockHash: hash }], NOT_FOUND],
  [['eth_getBalance', account, { blockHash: hash, requireCanonical: true }], NOT_FOUND],
  [['eth_getTransactionCount', account, hash], NOT_FOUND],
  [['eth_getCode', account, { blockHash: hash }], NOT_FOUND],
  [['eth_getStorageAt', account, '0x0', { blockHash: hash }], NOT_FOUND],
  [['eth_getStorageValues', { [account]: ['0x0'] }, hash], NOT_FOUND],
  [['eth_getProof', account, [], { blockHash: hash }], NOT_FOUND],
  [['eth_getAccount', account, hash], NOT_FOUND],
  [['eth_getAccountInfo', account, hash], NOT_FOUND],
  [['eth_call', { to: account }, { blockHash: hash }], NOT_FOUND],
  [['eth_estimateGas', { to: account }, hash], NOT_FOUND],
  [['eth_createAccessList', { to: account }, hash], NOT_FOUND],
  [['eth_callMany', [{ transactions: [{ to: account }] }], { blockNumber: hash }], NOT_FOUND],
  [['eth_simulateV1', { blockStateCalls: [{}] }, { blockHash: hash }], NOT_FOUND],
  [['ots_hasCode', account, hash], NOT_FOUND],
  [['devnet_stateDiff', hash, 'latest'], NOT_FOUND],
];

async function expectNone(fork: TestChain, reads: ReturnType<typeof byTransaction>) {
  for (const [[method, ...params], none] of reads) {
    const answer = await fork.call(method, ...params).catch(({ code }: { code: number }) => ({ code }));
    expect([method, params, answer]).toEqual([method, params, none]);
  }
}

describe('what the other chain has after the fork point', () => {
  it('is unknown by the hash of a transaction', async () => {
    const { fork, hash } = await parted();
    await expectNone(fork, byTransaction(hash));
    await fork.call('anvil_mine', '0x2');
    await expectNone(fork, byTransaction(hash));
  });

  it('is unknown by the hash of a block', async () => {
    const { one, fork, later } = await parted();
    await expectNone(fork, byBlock(later.hash, one.token));
    await fork.call('anvil_mine', '0x2');
    await expectNone(fork, byBlock(later.hash, one.token));
    const id = await fork.call('eth_newFilter', { blockHash: later.hash });
    await expect(fork.call('eth_getFilterLogs', id)).rejects.toMatchObject(NOT_FOUND);
  });

  it('is unknown beside a block from before the fork', async () => {
    const { one, fork, later } = await parted();
    const before = (await one.block('0x2')).hash;
    await expect(fork.call('devnet_stateDiff', '0x1', later.hash)).rejects.toMatchObject(NOT_FOUND);
    await expect(fork.call('devnet_stateDiff', before, later.hash)).rejects.toMatchObject(NOT_FOUND);
    for (const hashes of [
      [before, later.hash],
      [later.hash, before],
    ])
      await expect(fork.call('debug_getModifiedAccountsByHash', ...hashes)).rejects.toMatchObject(NOT_FOUND);
    for (const [from, to] of [
      ['0x1', before],
      [before, (await one.block('0x3')).hash],
      [before, 'latest'],
    ])
      expect(await fork.call('devnet_stateDiff', from, to)).toEqual(
        await one.call('devnet_stateDiff', from, to === 'latest' ? '0x3' : to),
      );
    await fork.call('evm_mine');
    const here = (await fork.block('0x4')).hash;
    for (const to of ['0x4', here])
      await expect(fork.call('devnet_stateDiff', before, to)).rejects.toMatchObject({
        message: expect.stringMatching('crosses block 3'),
      });
  });

  it('is unknown in a batch', async () => {
    const { fork, hash, later } = await parted();
    const calls = [
      { jsonrpc: '2.0', id: 1, method: 'eth_getTransactionReceipt', params: [hash] },
      { jsonrpc: '2.0', id: 2, method: 'eth_getBlockByHash', params: [later.hash, false] },
    ];
    const headers = { 'content-type': 'application/json' };
    const answer = await fetch(fork.url, { method: 'POST', headers, body: JSON.stringify(calls) });
    expect(await answer.json()).toMatchObject([
      { id: 1, result: null },
      { id: 2, result: null },
    ]);
  });

  it('has no receipt while the bytes of its transaction wait here, and the one from here once it is mined here', async () => {
    const { fork, hash, raw, one } = await parted({ automine: false, noMining: true });
    expect(await fork.call('eth_sendRawTransaction', raw)).toBe(hash);
    expect(await fork.receipt(hash)).toBeNull();
    expect(await fork.call('eth_getTransactionByHash', hash)).toMatchObject({ hash, blockNumber: null });
    expect(await fork.call('eth_getRawTransactionByHash', hash)).toBe(raw);
    expect(await fork.call('debug_getRawTransaction', hash)).toBe(raw);
    await expectNone(
      fork,
      byTransaction(hash).filter(([[method]]) => /trace|ots/.test(method)),
    );
    await fork.call('anvil_mine', '0x1');
    const { hash: here } = await fork.block('0x4');
    expect(here).not.toBe((await one.block('0x4')).hash);
    expect(await fork.receipt(hash)).toMatchObject({ blockNumber: '0x4', blockHash: here });
    expect(await fork.call('eth_getTransactionByHash', hash)).toMatchObject({ blockHash: here });
    expect(await fork.call('trace_transaction', hash)).toMatchObject([{ blockHash: here }]);
  });

  it('has no receipt before the pre-confirmation here, and the pending one after it', async () => {
    const options = { automine: false, blockTime: 2, flashblockInterval: 200 };
    const { fork, hash, raw } = await parted(options);
    await fork.call('eth_sendRawTransaction', raw);
    expect(await fork.receipt(hash)).toBeNull();
    await fork.call('devnet_tick');
    const pending = await fork.block('pending');
    expect(await fork.receipt(hash)).toMatchObject({ blockNumber: '0x4', blockHash: pending.hash });
  });

  it('is not found by sender and nonce or creation either, even where dev writes here let it seem older', async () => {
    const one = await original();
    const fork = await forkOf(one);
    const [sender] = one.accounts;
    const created = await one.deploy();
    await fork.call('anvil_setNonce', sender, '0x9');
    await fork.call('anvil_setCode', created, '0x00');
    for (const nonce of [3, 4]) {
      expect(await fork.call('eth_getTransactionBySenderAndNonce', sender, hex(nonce))).toBeNull();
      expect(await fork.call('ots_getTransactionBySenderAndNonce', sender, nonce)).toBeNull();
    }
    expect(await fork.call('ots_getContractCreator', created)).toBeNull();
    expect(await fork.call('ots_getTransactionBySenderAndNonce', sender, 2)).toBe(one.sent[1]);
  });

  it('does not become a parent in a trace', async () => {
    const { one, fork } = await parted();
    await one.send({ to: one.token, data: encode('transfer', one.accounts[3], 1n) });
    const [four, five] = [
      await one.call('debug_getRawBlock', '0x4'),
      await one.call('debug_getRawBlock', '0x5'),
    ];
    await expect(fork.call('debug_traceBlock', five, trace)).rejects.toMatchObject(NOT_FOUND);
    expect(await fork.call('debug_traceBlock', four, trace)).toHaveLength(1);
    const three = await one.call('debug_getRawBlock', '0x3');
    expect(await fork.call('debug_traceBlock', three, trace)).toEqual(
      await one.call('debug_traceBlock', three, trace),
    );
  });

  it('does not tell the fees of the next block', async () => {
    const one = await original();
    const fork = await forkOf(one);
    await one.call('anvil_setNextBlockBaseFeePerGas', '0x7777777');
    await one.call('evm_mine');
    await fork.call('anvil_setNextBlockBaseFeePerGas', '0x5555555');
    const last = async (newest: string) =>
      (await fork.call('eth_feeHistory', '0x2', newest)).baseFeePerGas.at(-1);
    for (const newest of ['0x3', 'latest']) expect(await last(newest)).toBe('0x5555555');
    await fork.call('evm_mine');
    await fork.call('evm_mine');
    expect(await last('0x3')).toBe('0x5555555');
  });

  it('is unknown where its node answers a block by hash that is not canonical', async () => {
    const one = await original();
    const proxy = await proxyOf(one.url);
    const fork = await forkOf(proxy);
    const stale = `0x${'5a'.repeat(32)}`;
    proxy.state.fault = (methods) =>
      methods.includes('eth_getBlockByHash')
        ? {
            status: 200,
            body: JSON.stringify({ jsonrpc: '2.0', id: 1, result: { number: '0x2', hash: stale } }),
          }
        : undefined;
    await expectNone(fork, byBlock(stale, one.token));
  });
});

describe('proofs on a forked chain', () => {
  it("are the other chain's at the fork block, however it is named, and at latest while nothing was mined", async () => {
    const { one, fork } = await parted();
    const { hash } = await one.block('0x3');
    const { stateRoot } = await fork.block('0x3');
    expect(stateRoot).toBe((await one.block('0x3')).stateRoot);
    const names = ['0x3', hash, { blockHash: hash }, { blockNumber: '0x3' }, 'latest', 'safe', 'finalized'];
    for (const account of [one.token, one.accounts[0], one.accounts[5], `0x${'ee'.repeat(20)}`]) {
      const proof = await one.call('eth_getProof', account, ['0x2'], '0x3');
      for (const name of [...names, { blockNumber: 'latest' }])
        expect([name, await fork.call('eth_getProof', account, ['0x2'], name)]).toEqual([name, proof]);
      expect(await fork.call('eth_getProof', account, ['0x2'])).toEqual(proof);
      expect(await fork.call('eth_getProof', account, ['0x2'], 'earliest')).toEqual(
        await one.call('eth_getProof', account, ['0x2'], '0x0'),
      );
      await expect(fork.call('eth_getProof', account, [], 'pending')).rejects.toMatchObject(NOT_FOUND);
    }
    await fork.call('evm_mine');
    await expect(fork.call('eth_getProof', one.token, [], 'latest')).rejects.toMatchObject(NOT_FOUND);
    for (const name of ['0x3', 'safe', hash])
      expect(await fork.call('eth_getProof', one.token, ['0x2'], name)).toEqual(
        await one.call('eth_getProof', one.token, ['0x2'], '0x3'),
      );
  });

  it('name slots with 32 bytes where the other node is asked, and as they were asked for in the answer', async () => {
    const one = await original();
    const proxy = await proxyOf(one.url);
    const fork = await forkOf(proxy);
    const wholeSlot = `0x${'2'.padStart(64, '0')}`;
    const proof = await one.call('eth_getProof', one.token, ['0x2', wholeSlot], '0x3');
    expect(await fork.call('eth_getProof', one.token, ['0x2', wholeSlot], 'latest')).toEqual(proof);
    expect(proof.storageProof.map(({ key }: { key: string }) => key)).toEqual(['0x2', wholeSlot]);
    const asked = proxy.seen.find(({ methods }) => methods[0] === 'eth_getProof')!;
    expect(asked.params[0][1]).toEqual([wholeSlot, wholeSlot]);
    expect(await fork.call('eth_getStorageValues', { [one.token]: ['0x2'] }, '0x2')).toEqual(
      await one.call('eth_getStorageValues', { [one.token]: ['0x2'] }, '0x2'),
    );
  });

  it('are refused for an account that a dev write changed, and for no other', async () => {
    const { one, fork } = await parted();
    await fork.call('anvil_setStorageAt', one.token, '0x7', `0x${'01'.repeat(32)}`);
    await fork.call('anvil_setBalance', one.accounts[1], '0x1');
    for (const account of [one.token, one.accounts[1]])
      for (const name of ['latest', '0x3'])
        await expect(fork.call('eth_getProof', account, [], name)).rejects.toMatchObject({
          code: -32000,
          message: expect.stringMatching('changed after the chain was forked'),
        });
    expect(await fork.call('eth_getProof', one.accounts[2], [], 'latest')).toEqual(
      await one.call('eth_getProof', one.accounts[2], [], '0x3'),
    );
  });
});

describe('a block tag on a forked chain', () => {
  it('means the same block in every method', async () => {
    const { one, fork } = await parted();
    for (const mined of [0, 2]) {
      if (mined > 0) await fork.call('anvil_mine', hex(mined));
      const numbers = {
        earliest: '0x0',
        safe: '0x3',
        finalized: '0x3',
        latest: hex(3 + mined),
      };
      for (const [tag, number] of Object.entries(numbers)) {
        const reads: Reads = [
          ['eth_getBlockByNumber', '', true],
          ['eth_getHeaderByNumber', ''],
          ['erigon_getHeaderByNumber', ''],
          ['eth_getBlockReceipts', ''],
          ['eth_getBlockTransactionCountByNumber', ''],
          ['eth_getTransactionByBlockNumberAndIndex', '', '0x0'],
          ['eth_getUncleCountByBlockNumber', ''],
          ['eth_getBalance', one.accounts[0], ''],
          ['eth_getTransactionCount', one.accounts[0], ''],
          ['eth_getCode', one.token, ''],
          ['eth_getStorageAt', one.token, '0x2', ''],
          ['eth_call', { to: one.token, data: encode('balanceOf', one.accounts[1]) }, ''],
          ['eth_feeHistory', '0x1', '', [50]],
          ['debug_getRawHeader', ''],
          ['debug_getRawReceipts', ''],
          ['ots_hasCode', one.token, ''],
          ['ots_getBlockDetails', ''],
          ['trace_replayBlockTransactions', '', ['trace']],
          ['eth_getLogs', { fromBlock: '', toBlock: '' }],
          ['trace_filter', { fromBlock: '', toBlock: '' }],
        ];
        for (const [method, ...params] of reads) {
          const at = (ref: string) =>
            fork
              .call(method, ...JSON.parse(JSON.stringify(params).replaceAll('""', `"${ref}"`)))
              .catch(({ code }: { code: number }) => ({ code }));
          expect([tag, method, await at(tag)]).toEqual([tag, method, await at(number)]);
        }
        expect((await fork.block(tag)).number).toBe(number);
      }
    }
  });

  it('earliest is the fork block where the other chain has none before it', async () => {
    const one = await original();
    const fork = await forkOf(one, { forkBlockNumber: 0 });
    await fork.call('anvil_setBalance', fork.accounts[0], '0x1');
    for (const ref of ['earliest', '0x0', 'latest'])
      expect(await fork.call('eth_getBalance', fork.accounts[0], ref)).toBe('0x1');
    expect((await fork.block('earliest', true)).hash).toBe((await one.block('0x0')).hash);
  });

  it('pending is refused where a range begins before the fork', async () => {
    const { fork } = await parted();
    const crossing = fork.call('trace_filter', { fromBlock: '0x1', toBlock: 'pending' });
    await expect(crossing).rejects.toMatchObject({ message: expect.stringMatching('crosses block 3') });
    expect(await fork.call('trace_filter', { fromBlock: 'earliest', toBlock: 'latest' })).toHaveLength(3);
  });
});
