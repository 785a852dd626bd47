import { describe, expect, test } from 'vitest';
import { hex } from '../../src/rpc/hex.ts';
import { client } from './client.ts';
import {
  bytes,
  CONTRACT,
  emptyChain,
  FakeChain,
  fakeBlock,
  fakeHash,
  fakeLog,
  fakeState,
  fakeTransaction,
  GWEI,
  SENDER,
} from './fake-chain.ts';

const A = SENDER.toString();
const TOPIC = bytes(0x11);
const SLOT_ONE = `0x${'00'.repeat(31)}01`;

const legacy = fakeTransaction({ type: 0, nonce: 0n, gasPrice: 3n * GWEI });
const dynamic = fakeTransaction({
  type: 2,
  nonce: 1n,
  maxFeePerGas: 9n * GWEI,
  maxPriorityFeePerGas: 2n * GWEI,
});
const preconfirmed = fakeTransaction({
  type: 2,
  nonce: 2n,
  maxFeePerGas: 9n * GWEI,
  maxPriorityFeePerGas: GWEI,
});

function chain(async = false): FakeChain {
  const genesis = fakeBlock(0n, bytes(0));
  const one = fakeBlock(
    1n,
    genesis.hash,
    [
      { transaction: legacy, logs: [fakeLog([TOPIC]), fakeLog()] },
      { transaction: dynamic, logs: [fakeLog([bytes(0x22), TOPIC])], gasUsed: 60_000n },
    ],
    {},
    {
      state: fakeState(
        { [A]: { nonce: 2n, balance: 255n, code: Uint8Array.of(0x60) } },
        { [`${A}/${SLOT_ONE}`]: Uint8Array.of(7) },
        async,
      ),
    },
  );
  const pending = fakeBlock(
    2n,
    one.hash,
    [{ transaction: preconfirmed, logs: [fakeLog([TOPIC])] }],
    { baseFeePerGas: 2n * GWEI },
    { state: fakeState({ [A]: { nonce: 3n, balance: 254n } }, {}, async) },
  );
  return new FakeChain([genesis, one], pending);
}

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
    expect(block).toMatchObject({ difficulty: '0x5', uncles: [hex(fakeHash(blocks.latest.header))] });
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
    const pool = { nextNonce: () => 0n, find: () => waiting };
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

describe('eth_getLogs', () => {
  const blocks = chain();
  const call = client({ chain: blocks });
  const at = async (filter: object): Promise<string[]> =>
    (await call('eth_getLogs', filter)).map(
      (log: { blockNumber: string; logIndex: string }) => `${log.blockNumber}/${log.logIndex}`,
    );
  const topic = hex(TOPIC);

  test('a range, latest by default', async () => {
    expect(await at({})).toEqual(['0x1/0x0', '0x1/0x1', '0x1/0x2']);
    expect(await at({ fromBlock: 'earliest', toBlock: '0x0' })).toEqual([]);
    expect(await at({ fromBlock: '0x0' })).toHaveLength(3);
  });

  test('toBlock pending adds the pre-confirmed logs, each once', async () => {
    expect(await at({ fromBlock: '0x0', toBlock: 'pending' })).toEqual([
      '0x1/0x0',
      '0x1/0x1',
      '0x1/0x2',
      '0x2/0x0',
    ]);
    expect(await at({ fromBlock: 'pending', toBlock: 'pending' })).toEqual(['0x2/0x0']);
    expect(await at({ fromBlock: 'pending' })).toEqual(['0x2/0x0']);
  });

  test('one block by hash, the current partial hash included', async () => {
    expect(await at({ blockHash: hex(blocks.latest.hash) })).toHaveLength(3);
    expect(await at({ blockHash: hex(blocks.pending.hash) })).toEqual(['0x2/0x0']);
  });

  test('address and topics', async () => {
    expect(await at({ address: CONTRACT.toString() })).toHaveLength(3);
    expect(await at({ address: [A] })).toEqual([]);
    expect(await at({ topics: [topic] })).toEqual(['0x1/0x0']);
    expect(await at({ topics: [null, topic] })).toEqual(['0x1/0x2']);
    expect(await at({ topics: [[topic, hex(bytes(0x22))]] })).toEqual(['0x1/0x0', '0x1/0x2']);
    expect(await at({ topics: [[], []] })).toEqual(['0x1/0x2']);
  });

  test('receipts of a block whose bloom excludes the topic are not read', async () => {
    const sealed = blocks.latest;
    const view = {
      ...sealed,
      get receipts(): never {
        throw new Error('read');
      },
    };
    const guarded = client({ chain: new FakeChain([view], blocks.pending) });
    expect(await guarded('eth_getLogs', { topics: [hex(bytes(0x33))] })).toEqual([]);
  });

  test.each([
    ['a toBlock above the head', { fromBlock: '0x1', toBlock: '0x2' }, -32602],
    ['a fromBlock above the head', { fromBlock: '0x2' }, -32602],
    ['a reversed range', { fromBlock: '0x1', toBlock: '0x0' }, -32602],
    ['pending to latest', { fromBlock: 'pending', toBlock: 'latest' }, -32602],
    ['an unknown block hash', { blockHash: hex(bytes(9)) }, -32000],
  ])(
    '%s is refused',
    async (_, filter, code) => await expect(call('eth_getLogs', filter)).rejects.toMatchObject({ code }),
  );
});

describe('eth_feeHistory', () => {
  const call = client({ chain: chain() });

  test('ends with the fees of the block after', async () => {
    expect(await call('eth_feeHistory', '0x2', 'latest', [])).toEqual({
      oldestBlock: '0x0',
      baseFeePerGas: ['0x3b9aca00', '0x3b9aca00', '0x77359400'],
      gasUsedRatio: [0, 81_000 / 30_000_000],
      baseFeePerBlobGas: ['0x1', '0x1', '0x3'],
      blobGasUsedRatio: [0, 0],
    });
  });

  test('rewards are weighted by gas, zero in an empty block', async () => {
    const { reward } = await call('eth_feeHistory', 5, 'latest', [0, 25, 26, 100]);
    // Both tip 2 gwei: the legacy one 3 - 1, the other its cap.
    expect(reward).toEqual([
      ['0x0', '0x0', '0x0', '0x0'],
      ['0x77359400', '0x77359400', '0x77359400', '0x77359400'],
    ]);
  });

  test('percentiles fall on the cheaper transactions first', async () => {
    const cheap = fakeTransaction({ type: 0, gasPrice: 2n * GWEI });
    const dear = fakeTransaction({ type: 0, gasPrice: 5n * GWEI });
    const block = fakeBlock(0n, bytes(0), [
      { transaction: dear, gasUsed: 75_000n },
      { transaction: cheap, gasUsed: 25_000n },
    ]);
    const history = await client({ chain: new FakeChain([block], block) })(
      'eth_feeHistory',
      1,
      'latest',
      [25, 26],
    );
    expect(history.reward).toEqual([['0x3b9aca00', '0xee6b2800']]);
  });

  test('reaches back no further than there are blocks, and to the pending one', async () => {
    expect((await call('eth_feeHistory', '0x400', 'pending')).gasUsedRatio).toHaveLength(3);
    expect((await call('eth_feeHistory', 0, 'latest')).baseFeePerGas).toEqual([]);
  });

  test.each([[[50, 10]], [[10, 10]], [[-1]], [[101]], [['x']]])(
    'percentiles %j are refused',
    async (percentiles) =>
      await expect(call('eth_feeHistory', 1, 'latest', percentiles)).rejects.toMatchObject({ code: -32602 }),
  );

  test('an unknown block is -32000', async () =>
    await expect(call('eth_feeHistory', 1, '0x9')).rejects.toMatchObject({ code: -32000 }));
});

test('an empty chain answers too', async () => {
  expect(await client({ chain: emptyChain() })('eth_getLogs', { fromBlock: '0x0' })).toEqual([]);
});
