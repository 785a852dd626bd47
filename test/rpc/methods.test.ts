import { describe, expect, test } from 'vitest';
import { hashHeader } from '../../src/chain/header.ts';
import { hex } from '../../src/rpc/codec/hex.ts';
import { client } from './client.ts';
import { bytes, CONTRACT, FakeChain, fakeBlock, fakeContext, fakeTransaction } from './fake-chain.ts';
import { A, chain, dynamic, legacy, preconfirmed, SLOT_ONE } from './sample-chain.ts';

describe('about the node', () => {
  test.each([
    ['web3_clientVersion', 'anvil/test'],
    ['net_version', '31337'],
    ['net_listening', true],
    ['eth_chainId', '0x7a69'],
    ['eth_blockNumber', '0x1'],
    ['eth_syncing', false],
    ['eth_accounts', [A]],
    ['eth_maxPriorityFeePerGas', '0x3b9aca00'],
    ['eth_gasPrice', '0xb2d05e00'],
    ['eth_baseFee', '0x77359400'],
    ['eth_blobBaseFee', '0x1'],
  ])('%s', async (method, expected) => expect(await client({ chain: chain() })(method)).toEqual(expected));

  test('web3_sha3 is keccak256', async () =>
    expect(await client()('web3_sha3', '0x')).toBe(
      '0xc5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470',
    ));
});

describe.each([
  ['local', false],
  ['fetched', true],
])('reads of %s state', (_, async) => {
  const call = client({ chain: chain(async) });
  test('balance, latest by default', async () => {
    expect(await call('eth_getBalance', A)).toBe('0xff');
    expect(await call('eth_getBalance', A, null)).toBe('0xff');
    expect(await call('eth_getBalance', A, 'pending')).toBe('0xfe');
    expect(await call('eth_getBalance', A, 'earliest')).toBe('0x0');
    expect(await call('eth_getBalance', A, { blockNumber: '0x1' })).toBe('0xff');
    expect(await call('eth_getBalance', A, { blockHash: hex(chain().latest.hash) })).toBe('0xff');
  });

  test('code', async () => {
    expect(await call('eth_getCode', A, 'latest')).toBe('0x60');
    expect(await call('eth_getCode', CONTRACT.toString(), 'latest')).toBe('0x');
  });

  test('storage is 32 bytes, the position short or whole', async () => {
    const seven = `0x${'00'.repeat(31)}07`;
    expect(await call('eth_getStorageAt', A, '0x1', 'latest')).toBe(seven);
    expect(await call('eth_getStorageAt', A, SLOT_ONE, 'latest')).toBe(seven);
    expect(await call('eth_getStorageAt', A, '0x2', 'latest')).toBe(`0x${'00'.repeat(32)}`);
    await expect(call('eth_getStorageAt', A, '0xasdf', 'latest')).rejects.toMatchObject({ code: -32602 });
  });

  test('the pending nonce counts what waits in the mempool, others do not', async () => {
    expect(await call('eth_getTransactionCount', A, 'latest')).toBe('0x2');
    expect(await call('eth_getTransactionCount', A, 'pending')).toBe('0x9');
    expect(await call('eth_getTransactionCount', A, '0x0')).toBe('0x0');
  });

  test.each(['eth_getBalance', 'eth_getCode', 'eth_getTransactionCount'])(
    '%s of an unknown block is -32000',
    async (method) => {
      for (const ref of ['0x2', { blockHash: hex(bytes(9)) }])
        await expect(call(method, A, ref)).rejects.toMatchObject({
          code: -32000,
          message: 'header not found',
        });
    },
  );
});

describe('blocks', () => {
  const blocks = chain();
  const call = client({ chain: blocks });
  const latest = hex(blocks.latest.hash);

  test('a pending block has the fields of a sealed one', async () => {
    const sealed = await call('eth_getBlockByNumber', 'latest', false);
    const pending = await call('eth_getBlockByNumber', 'pending', false);
    expect(Object.keys(pending)).toEqual(Object.keys(sealed));
    expect(pending).toMatchObject({ number: '0x2', hash: hex(blocks.pending.hash) });
    expect(Object.keys(sealed).sort()).toEqual(
      [
        'number hash parentHash nonce sha3Uncles logsBloom transactionsRoot stateRoot receiptsRoot miner difficulty',
        'mixHash extraData size gasLimit gasUsed timestamp transactions uncles withdrawals withdrawalsRoot',
        'baseFeePerGas blobGasUsed excessBlobGas parentBeaconBlockRoot requestsHash',
      ]
        .join(' ')
        .split(' ')
        .sort(),
    );
    expect(sealed).toMatchObject({
      nonce: '0x0000000000000000',
      difficulty: '0x0',
      extraData: '0x',
      size: '0x258',
      gasUsed: '0x13c68',
      uncles: [],
      withdrawals: [],
      transactions: [hex(legacy.hash), hex(dynamic.hash)],
    });
  });

  test('whole transactions on request', async () => {
    const block = await call('eth_getBlockByHash', latest, true);
    expect(block.transactions[1]).toEqual(await call('eth_getTransactionByHash', hex(dynamic.hash)));
  });

  test('fields that an old fork does not know are left out, uncles are hashes', async () => {
    const frontier = fakeBlock(0n, bytes(0), [], { difficulty: 5n }, { uncles: [blocks.latest.header] });
    const {
      baseFeePerGas,
      withdrawalsRoot,
      blobGasUsed,
      excessBlobGas,
      parentBeaconBlockRoot,
      requestsHash,
      ...old
    } = frontier.header;
    const view = { ...frontier, header: old };
    const block = await client({ chain: new FakeChain([view], view) })(
      'eth_getBlockByNumber',
      'earliest',
      false,
    );
    expect(block).toMatchObject({ difficulty: '0x5', uncles: [hex(hashHeader(blocks.latest.header))] });
    for (const name of [
      'baseFeePerGas',
      'withdrawals',
      'withdrawalsRoot',
      'blobGasUsed',
      'requestsHash',
      'totalDifficulty',
    ])
      expect(block).not.toHaveProperty(name);
  });

  test.each([
    ['eth_getBlockByNumber', ['0x2', true]],
    ['eth_getBlockByHash', [hex(bytes(9)), true]],
    ['eth_getBlockTransactionCountByNumber', ['0x2']],
    ['eth_getBlockTransactionCountByHash', [hex(bytes(9))]],
    ['eth_getUncleCountByBlockNumber', ['0x2']],
    ['eth_getUncleCountByBlockHash', [hex(bytes(9))]],
    ['eth_getTransactionByBlockNumberAndIndex', ['0x2', '0x0']],
    ['eth_getTransactionByBlockHashAndIndex', [latest, '0x2']],
    ['eth_getBlockReceipts', ['0x2']],
    ['eth_getTransactionByHash', [hex(bytes(9))]],
    ['eth_getTransactionReceipt', [hex(bytes(9))]],
  ])('%s of something unknown is null', async (method, params) =>
    expect(await call(method, ...params)).toBeNull(),
  );

  test('counts', async () => {
    expect(await call('eth_getBlockTransactionCountByNumber', 'pending')).toBe('0x1');
    expect(await call('eth_getBlockTransactionCountByHash', latest)).toBe('0x2');
    expect(await call('eth_getUncleCountByBlockNumber', 'latest')).toBe('0x0');
    expect(await call('eth_getUncleCountByBlockHash', latest)).toBe('0x0');
  });

  test.each([[[]], [['latest']], [['latest', 'true']], [['newest', true]], [['latest', true, 1]]])(
    'eth_getBlockByNumber refuses %j',
    async (params) =>
      await expect(call('eth_getBlockByNumber', ...params)).rejects.toMatchObject({ code: -32602 }),
  );
});

describe('transactions and receipts', () => {
  const blocks = chain();
  const call = client({ chain: blocks });

  test('are found by place', async () => {
    const byHash = await call('eth_getTransactionByHash', hex(dynamic.hash));
    expect(await call('eth_getTransactionByBlockNumberAndIndex', '0x1', '0x1')).toEqual(byHash);
    expect(await call('eth_getTransactionByBlockHashAndIndex', hex(blocks.latest.hash), '0x1')).toEqual(
      byHash,
    );
  });

  test('a receipt counts gas and logs over its block', async () => {
    const receipt = await call('eth_getTransactionReceipt', hex(dynamic.hash));
    expect(receipt).toMatchObject({
      blockHash: hex(blocks.latest.hash),
      blockNumber: '0x1',
      transactionIndex: '0x1',
      type: '0x2',
      status: '0x1',
      from: A,
      to: CONTRACT.toString(),
      contractAddress: null,
      gasUsed: '0xea60',
      cumulativeGasUsed: '0x13c68',
      effectiveGasPrice: '0x77359400',
    });
    expect(receipt.logs).toMatchObject([
      { logIndex: '0x2', transactionIndex: '0x1', blockTimestamp: '0x3ea', removed: false },
    ]);
    expect(receipt).not.toHaveProperty('blobGasUsed');
    expect(await call('eth_getBlockReceipts', 'latest')).toContainEqual(receipt);
  });

  test('a pre-confirmed one has both at once, with the current partial hash', async () => {
    const place = { blockHash: hex(blocks.pending.hash), blockNumber: '0x2', transactionIndex: '0x0' };
    expect(await call('eth_getTransactionByHash', hex(preconfirmed.hash))).toMatchObject(place);
    expect(await call('eth_getTransactionReceipt', hex(preconfirmed.hash))).toMatchObject({
      ...place,
      status: '0x1',
    });
    expect(await call('eth_getBlockReceipts', 'pending')).toHaveLength(1);
  });

  test('a waiting one is shown without a place where the pool shows it', async () => {
    const waiting = fakeTransaction({ type: 2, nonce: 5n, maxFeePerGas: 9n, maxPriorityFeePerGas: 1n });
    const pool = { ...fakeContext().pool, nextNonce: () => 0n, find: () => waiting };
    expect(await client({ pool })('eth_getTransactionByHash', hex(waiting.hash))).toMatchObject({
      blockHash: null,
      blockNumber: null,
      blockTimestamp: null,
      transactionIndex: null,
      gasPrice: '0x9',
    });
  });

  test('before Byzantium a receipt has a root instead of a status', async () => {
    const { status, ...receipt } = blocks.latest.receipts[0]!;
    const view = { ...blocks.latest, receipts: [{ ...receipt, stateRoot: bytes(4) }] };
    const old = await client({ chain: new FakeChain([view], blocks.pending) })(
      'eth_getTransactionReceipt',
      hex(legacy.hash),
    );
    expect(old).toHaveProperty('root', hex(bytes(4)));
    expect(old).not.toHaveProperty('status');
  });
});
