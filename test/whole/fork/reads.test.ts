import { describe, expect, it } from 'vitest';
import { chain, closeChainsAfterEachTest, encode, forkOf, hex, original } from './chains.ts';
import { closeProxiesAfterEachTest, proxyOf } from './proxy.ts';

closeProxiesAfterEachTest();

closeChainsAfterEachTest();

describe('a forked chain', () => {
  it("begins as the other chain stands, with the dev accounts' balances and the other chain's nonces", async () => {
    const one = await original({ chainId: 4242, gasLimit: 12_000_000, balance: 5 });
    const fork = await forkOf(one);
    expect(await fork.call('eth_chainId')).toBe(hex(4242));
    expect(await fork.call('eth_blockNumber')).toBe('0x3');
    expect(await fork.call('net_version')).toBe('4242');
    const [first] = one.accounts;
    expect(await fork.call('eth_getBalance', first, 'latest')).toBe(hex(10_000n * 10n ** 18n));
    expect(await fork.call('eth_getTransactionCount', first, 'latest')).toBe('0x3');
    expect(await fork.call('eth_getCode', one.token, 'latest')).toBe(
      await one.call('eth_getCode', one.token, 'latest'),
    );
    expect(await fork.call('eth_getStorageAt', one.token, '0x2', 'latest')).toBe(
      await one.call('eth_getStorageAt', one.token, '0x2', 'latest'),
    );
    await fork.call('evm_mine');
    const [block, parent] = [await fork.block('latest'), await one.block('latest')];
    expect(block).toMatchObject({ number: '0x4', parentHash: parent.hash, gasLimit: hex(12_000_000) });
    await one.call('evm_mine');
    expect(block.baseFeePerGas).toBe((await one.block('latest')).baseFeePerGas);
    expect(BigInt(block.timestamp)).toBeGreaterThan(BigInt(parent.timestamp));
  });

  it('takes what it is told instead: chain id, gas limit, base fee, block', async () => {
    const one = await original();
    const options = { chainId: 5, gasLimit: 9_000_000, baseFee: 7, forkBlockNumber: -1 };
    const fork = await forkOf(one, options);
    expect(await fork.call('eth_chainId')).toBe('0x5');
    expect(await fork.call('eth_blockNumber')).toBe('0x2');
    await fork.call('evm_mine');
    expect(await fork.block('latest')).toMatchObject({ gasLimit: hex(9_000_000), baseFeePerGas: '0x7' });
    await fork.call('evm_mine');
    expect((await fork.block('latest')).baseFeePerGas).toBe('0x7');
    const at = await chain({ forkUrl: `${one.url}@1` });
    expect(await at.call('eth_blockNumber')).toBe('0x1');
    await expect(chain({ forkUrl: `${one.url}@9` })).rejects.toMatchObject({ code: -32602 });
    await expect(forkOf(one, { forkBlockNumber: -9 })).rejects.toMatchObject({ code: -32602 });
  });

  it('says where it was forked', async () => {
    const one = await original();
    const fork = await forkOf(one, { forkRetryBackoff: 5 });
    const { hash } = await one.block('latest');
    expect((await fork.call('anvil_nodeInfo')).forkConfig).toEqual({
      forkUrl: one.url,
      forkBlockNumber: 3,
      forkRetryBackoff: 5,
    });
    const forkedNetwork = { chainId: 31337, forkBlockNumber: 3, forkBlockHash: hash };
    for (const method of ['anvil_metadata', 'hardhat_metadata'])
      expect(await fork.call(method)).toMatchObject({ forkedNetwork });
    expect((await one.call('hardhat_metadata')).forkedNetwork).toBeUndefined();
    expect(fork.node.fork).toMatchObject({ endpoint: one.url, blockNumber: 3n });
  });

  it('answers for blocks up to the fork as the other chain does, also when its own head is beyond', async () => {
    const one = await original();
    const fork = await forkOf(one);
    const { hash } = await one.block('0x2');
    const trace = { tracer: 'callTracer' };
    const [first] = one.sent;
    const call = { to: one.token, data: encode('balanceOf', one.accounts[2]) };
    const reads: [string, ...unknown[]][] = [
      ['eth_getBlockByNumber', '0x3', true],
      ['eth_getBlockByNumber', '0x1', false],
      ['eth_getBlockByNumber', 'earliest', false],
      ['eth_getBlockByHash', hash, true],
      ['eth_getHeaderByNumber', '0x2'],
      ['eth_getBlockReceipts', '0x3'],
      ['eth_getBlockReceipts', hash],
      ['eth_getBlockTransactionCountByNumber', '0x3'],
      ['eth_getBlockTransactionCountByHash', hash],
      ['eth_getTransactionByHash', first],
      ['eth_getTransactionReceipt', first],
      ['eth_getRawTransactionByHash', first],
      ['eth_getTransactionByBlockNumberAndIndex', '0x3', '0x0'],
      ['eth_getTransactionByBlockHashAndIndex', hash, '0x0'],
      ['eth_getTransactionBySenderAndNonce', one.accounts[0], '0x1'],
      ['eth_getUncleCountByBlockNumber', '0x3'],
      ['eth_getBalance', one.accounts[0], '0x2'],
      ['eth_getBalance', one.accounts[0], { blockHash: hash }],
      ['eth_getTransactionCount', one.accounts[0], '0x1'],
      ['eth_getCode', one.token, '0x0'],
      ['eth_getStorageAt', one.token, '0x2', '0x1'],
      ['eth_getProof', one.token, ['0x2'], '0x2'],
      ['eth_call', call, '0x2'],
      ['eth_call', call, hash],
      ['eth_call', call, 'earliest'],
      ['eth_estimateGas', { ...call, from: one.accounts[0] }, '0x2'],
      ['eth_createAccessList', call, '0x2'],
      ['eth_simulateV1', { blockStateCalls: [{ calls: [call] }] }, '0x2'],
      ['eth_feeHistory', '0x2', '0x3', [50]],
      ['eth_getLogs', { fromBlock: '0x0', toBlock: '0x3' }],
      ['eth_getLogs', { fromBlock: 'earliest', toBlock: '0x2', address: one.token }],
      ['eth_getLogs', { blockHash: hash }],
      ['debug_traceTransaction', first, trace],
      ['debug_traceTransaction', first],
      ['debug_traceBlockByNumber', '0x3', trace],
      ['debug_traceBlockByNumber', '0x3'],
      ['debug_traceBlockByHash', hash, trace],
      ['debug_traceCall', call, '0x2', trace],
      ['debug_getRawBlock', '0x3'],
      ['debug_getRawHeader', '0x2'],
      ['debug_getRawReceipts', '0x3'],
      ['debug_getRawTransaction', first],
      ['eth_getAccount', one.token, '0x2'],
      ['eth_getAccountInfo', one.token, '0x2'],
      ['eth_getRawTransactionByBlockNumberAndIndex', '0x3', '0x0'],
      ['eth_getRawTransactionByBlockHashAndIndex', hash, '0x0'],
      ['erigon_getHeaderByNumber', '0x2'],
      ['ots_getBlockDetails', 3],
      ['ots_getBlockDetailsByHash', hash],
      ['ots_getBlockTransactions', 3, 0, 25],
      ['ots_getInternalOperations', first],
      ['ots_traceTransaction', first],
      ['ots_getTransactionError', first],
      ['ots_getTransactionBySenderAndNonce', one.accounts[0], 1],
      ['ots_getContractCreator', one.token],
      ['ots_searchTransactionsBefore', one.accounts[0], 3, 25],
      ['ots_hasCode', one.token, '0x0'],
      ['trace_replayTransaction', first, ['trace', 'stateDiff']],
      ['trace_replayBlockTransactions', '0x3', ['trace']],
      ['trace_block', '0x3'],
      ['trace_transaction', first],
      ['trace_filter', { fromBlock: '0x1', toBlock: '0x3' }],
    ];
    for (const round of [0, 1]) {
      for (const [method, ...params] of reads)
        expect([method, params, await fork.call(method, ...params)]).toEqual([
          method,
          params,
          await one.call(method, ...params),
        ]);
      if (round === 0) for (let i = 0; i < 3; i++) await fork.call('evm_mine');
    }
  });

  it('reads by tag while its head is the fork block, and null for what neither chain has', async () => {
    const one = await original();
    const fork = await forkOf(one);
    // The other chain goes on, which is nothing to a fork.
    await one.send({ to: one.token, data: encode('transfer', one.accounts[3], 1n) });
    const head = await one.block('0x3', true);
    for (const tag of ['latest', 'safe', 'finalized']) {
      expect(await fork.block(tag, true)).toEqual(head);
      expect(await fork.call('eth_getBlockReceipts', tag)).toHaveLength(1);
    }
    expect(await fork.call('eth_getBlockByNumber', '0x4', false)).toBeNull();
    const missing = `0x${'ab'.repeat(32)}`;
    expect(await fork.call('eth_getBlockByHash', missing, false)).toBeNull();
    expect(await fork.call('eth_getTransactionByHash', missing)).toBeNull();
    expect(await fork.call('eth_getTransactionReceipt', missing)).toBeNull();
    await expect(fork.call('eth_getBalance', one.token, missing)).rejects.toMatchObject({ code: -32000 });
    await expect(fork.call('eth_getBalance', one.token, '0x4')).rejects.toMatchObject({ code: -32000 });
    await expect(fork.call('anvil_dumpState')).rejects.toMatchObject({ code: -32000 });
  });

  it('is searched for creators from its first block on', async () => {
    const one = await original();
    const fork = await forkOf(one);
    const [first] = one.accounts;
    const token = await fork.deploy();
    expect(await fork.call('ots_getContractCreator', token)).toMatchObject({ creator: first });
    await expect(fork.call('eth_getAccount', token, 'latest')).rejects.toMatchObject({ code: -32000 });
    expect(await fork.call('eth_getAccount', first, 'latest')).toMatchObject({ nonce: '0x4' });
    expect(await fork.call('anvil_getGenesisTime')).toBe(Number((await one.block('0x3')).timestamp));
  });

  it('looks for logs on both sides of the fork', async () => {
    const one = await original();
    const fork = await forkOf(one);
    const send = (to: string, value: bigint) =>
      fork.send({ to: one.token, data: encode('transfer', to, value) });
    await send(fork.accounts[5]!, 9n);
    await one.send({ to: one.token, data: encode('transfer', one.accounts[6], 8n) });
    const logs = (filter: object) => fork.call('eth_getLogs', { address: one.token, ...filter });
    const amounts = (found: { data: string }[]) => found.map(({ data }) => BigInt(data));
    const all = [10n ** 24n, 700n, 50n, 9n];
    expect(amounts(await logs({ fromBlock: 'earliest', toBlock: 'latest' }))).toEqual(all);
    expect(amounts(await logs({ fromBlock: '0x0' }))).toEqual(all);
    expect(amounts(await logs({ fromBlock: '0x3' }))).toEqual([50n, 9n]);
    expect(amounts(await logs({ fromBlock: '0x4' }))).toEqual([9n]);
    expect(amounts(await logs({ fromBlock: '0x2', toBlock: '0x3' }))).toEqual([700n, 50n]);
    const [, transfer] = (await logs({ fromBlock: '0x0' })) as { topics: string[] }[];
    const topics = [transfer!.topics[0], null, transfer!.topics[2]];
    expect(amounts(await logs({ fromBlock: '0x0', topics }))).toEqual([700n]);
    const id = await fork.call('eth_newFilter', { address: one.token, fromBlock: '0x2' });
    expect(amounts(await fork.call('eth_getFilterLogs', id))).toEqual([700n, 50n, 9n]);
    await expect(logs({ fromBlock: '0x3', toBlock: '0x1' })).rejects.toMatchObject({ code: -32602 });
    const crossing = fork.call('trace_filter', { fromBlock: '0x2', toBlock: 'latest' });
    await expect(crossing).rejects.toMatchObject({
      code: -32000,
      message: expect.stringMatching('crosses block 3'),
    });
    expect(await fork.call('trace_filter', { fromBlock: '0x4' })).toHaveLength(1);
  });

  it('has a fee history that goes on from that of the other chain', async () => {
    const one = await original();
    const fork = await forkOf(one);
    await one.call('evm_mine');
    await one.call('evm_mine');
    await fork.call('evm_mine');
    await fork.call('evm_mine');
    for (const [count, newest] of [
      ['0x2', 'latest'],
      ['0x4', 'latest'],
      ['0x20', 'latest'],
      ['0x2', '0x4'],
      ['0x3', 'pending'],
    ])
      expect(await fork.call('eth_feeHistory', count, newest, [10, 90])).toEqual(
        await one.call('eth_feeHistory', count, newest, [10, 90]),
      );
  });

  it('BLOCKHASH has the hashes of the other chain', async () => {
    const one = await original();
    const fork = await forkOf(one);
    for (let i = 0; i < 2; i++) await fork.call('evm_mine');
    for (const number of [0, 1, 3, 4]) {
      const data = `0x7f${number.toString(16).padStart(64, '0')}405f5260205ff3`;
      expect(await fork.call('eth_call', { data })).toBe((await fork.block(hex(number))).hash);
    }
  });

  it('asks for nothing twice', async () => {
    const one = await original();
    const proxy = await proxyOf(one.url);
    const fork = await forkOf(proxy);
    const call = { to: one.token, data: encode('balanceOf', one.accounts[1]) };
    await fork.call('eth_call', call, 'latest');
    const asked = proxy.seen.length;
    for (let i = 0; i < 3; i++) {
      await fork.call('eth_call', call, 'latest');
      await fork.call('evm_mine');
      await fork.call('eth_getCode', one.token, 'pending');
      await fork.call('eth_getBalance', one.accounts[3], 'latest');
    }
    expect(proxy.seen.length).toBe(asked);
  });

  it('of a fork has the state and the blocks of both', async () => {
    const one = await original();
    const middle = await forkOf(one);
    await middle.send({ to: one.token, data: encode('transfer', one.accounts[4], 33n) });
    const last = await forkOf(middle);
    const balance = (ref: string) =>
      last.call('eth_call', { to: one.token, data: encode('balanceOf', one.accounts[4]) }, ref);
    expect(BigInt(await balance('latest'))).toBe(33n);
    expect(BigInt(await balance('0x3'))).toBe(0n);
    expect(await last.call('eth_getTransactionReceipt', one.sent[0])).toEqual(
      await one.receipt(one.sent[0]!),
    );
  });

  it('goes on over WebSocket, too', async () => {
    const one = await original();
    const fork = await forkOf({ url: one.url.replace('http', 'ws') });
    expect(await fork.block('latest', true)).toEqual(await one.block('latest', true));
    const data = encode('balanceOf', one.accounts[1]);
    expect(BigInt(await fork.call('eth_call', { to: one.token, data }))).toBe(700n);
  });
});
