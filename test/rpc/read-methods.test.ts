import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { encode, startKitchen } from './devnet.ts';

let kitchen: Awaited<ReturnType<typeof startKitchen>>;
let preconfirmed: string;
let waiting: string;
let queued: string;

beforeAll(async () => {
  kitchen = await startKitchen();
  preconfirmed = await kitchen.send({ to: kitchen.to, data: encode('fill', 3n, 1n, 9n) });
  await kitchen.preconfirm();
  waiting = await kitchen.send({ to: kitchen.other, value: '0x1' });
  queued = await kitchen.send({ to: kitchen.other, nonce: '0x9' });
});
afterAll(() => kitchen.node.close());

describe.each(['latest', 'pending'])('raw data at %s', (tag) => {
  test('block, header, receipts and transactions', async () => {
    const { rpc } = kitchen;
    const block = await rpc('eth_getBlockByNumber', tag, false);
    expect(await rpc('web3_sha3', await rpc('debug_getRawHeader', tag))).toBe(block.hash);
    const raw = await rpc('debug_getRawBlock', tag);
    expect((raw.length - 2) / 2).toBe(Number(block.size));
    expect(await rpc('debug_getRawReceipts', tag)).toHaveLength(block.transactions.length);
    for (const hash of block.transactions) {
      const bytes = await rpc('debug_getRawTransaction', hash);
      expect(await rpc('web3_sha3', bytes)).toBe(hash);
      expect(await rpc('eth_getRawTransactionByHash', hash)).toBe(bytes);
    }
    const header = await rpc('eth_getHeaderByNumber', tag);
    expect(header).toMatchObject({ hash: block.hash, stateRoot: block.stateRoot });
    expect(await rpc('eth_getHeaderByHash', block.hash)).toEqual(header);
    expect(await rpc('eth_getUncleByBlockNumberAndIndex', tag, '0x0')).toBeNull();
  });

  test('slots of several accounts', async () => {
    const [key, value] = ['0x3', `0x${'0'.repeat(63)}${tag === 'pending' ? '9' : '0'}`];
    const values = await kitchen.rpc('eth_getStorageValues', { [kitchen.to]: [key, '0xff'] }, tag);
    expect(values[kitchen.to]).toHaveLength(2);
    expect(values[kitchen.to][0]).toBe(await kitchen.rpc('eth_getStorageAt', kitchen.to, key, tag));
    expect(values[kitchen.to][0] === value || values[kitchen.to][0].length === 66).toBe(true);
    await expect(kitchen.rpc('eth_getStorageValues', {}, tag)).rejects.toMatchObject({ code: -32602 });
  });
});

test('a proof names a slot as it was asked for: a quantity, or 32 bytes', async () => {
  const { rpc, to } = kitchen;
  const word = `0x${'0'.repeat(63)}3`;
  const asked = ['0x3', '0x03', word, `0x${word.slice(3)}`, `0x${word.slice(4)}`];
  const { storageProof } = await rpc('eth_getProof', to, asked, 'latest');
  expect(storageProof.map(({ key }: { key: string }) => key)).toEqual(['0x3', '0x3', word, word, '0x3']);
  for (const { value, proof } of storageProof) {
    expect(value).toBe(storageProof[0].value);
    expect(proof).toEqual(storageProof[0].proof);
  }
});

test('what is not there', async () => {
  const none = `0x${'02'.repeat(32)}`;
  expect(await kitchen.rpc('debug_getRawTransaction', none)).toBe('0x');
  expect(await kitchen.rpc('eth_getRawTransactionByHash', none)).toBeNull();
  expect(await kitchen.rpc('eth_getHeaderByHash', none)).toBeNull();
  expect(await kitchen.rpc('debug_getBadBlocks')).toEqual([]);
  await expect(kitchen.rpc('debug_getRawBlock', '2')).rejects.toMatchObject({ code: -32602 });
});

test.each(['eth_call', 'eth_estimateGas', 'eth_createAccessList'])(
  '%s of what no block could hold',
  async (method) => {
    const { rpc, to } = kitchen;
    const from = `0x${'03'.repeat(20)}`;
    await expect(rpc(method, { from, to, value: '0x1', gasPrice: '0x3b9aca00' })).rejects.toMatchObject({
      code: -32003,
      message: expect.stringContaining('insufficient funds for gas * price + value'),
    });
  },
);

test('the pool shows what waits, and so do look-ups by hash', async () => {
  const { rpc, from } = kitchen;
  expect(await rpc('eth_getTransactionByHash', waiting)).toMatchObject({ hash: waiting, blockNumber: null });
  expect(await rpc('txpool_status')).toEqual({ pending: '0x1', queued: '0x1' });
  const content = await rpc('txpool_content');
  const [sender] = Object.keys(content.pending);
  expect(sender!.toLowerCase()).toBe(from);
  expect(content.pending[sender!]['2']).toMatchObject({ hash: waiting, blockHash: null });
  expect((await rpc('txpool_contentFrom', from)).queued['9']).toMatchObject({ hash: queued });
  expect((await rpc('txpool_inspect')).pending[sender!]['2']).toMatch(/: 1 wei \+ 3000000 gas × \d+ wei$/);
  expect(await rpc('eth_pendingTransactions')).toMatchObject([{ hash: waiting }]);
});

test('a transaction is found by sender and nonce: sealed, pre-confirmed, waiting', async () => {
  const find = (nonce: string) => kitchen.rpc('eth_getTransactionBySenderAndNonce', kitchen.from, nonce);
  expect((await find('0x0')).hash).toBe(kitchen.created);
  expect((await find('0x1')).hash).toBe(preconfirmed);
  expect((await find('0x2')).hash).toBe(waiting);
  expect(await find('0x5')).toBeNull();
});

test('about the node', async () => {
  const { rpc } = kitchen;
  const { head, state } = await rpc('eth_capabilities');
  expect(head.number).toBe(await rpc('eth_blockNumber'));
  expect(state).toEqual({ disabled: false, oldestBlock: '0x0' });
  const { current, next, last } = await rpc('eth_config');
  expect(current).toMatchObject({
    activationTime: 0,
    chainId: '0x7a69',
    precompiles: { ID: `0x${'4'.padStart(40, '0')}` },
  });
  expect(current.forkId).toMatch(/^0x[0-9a-f]{8}$/);
  expect([next, last]).toEqual([null, null]);
  expect(await rpc('rpc_modules')).toMatchObject({ eth: '1.0', debug: '1.0', trace: '1.0', txpool: '1.0' });
  expect(await rpc('eth_mining')).toBe(true);
  expect(await rpc('eth_hashrate')).toBe('0x0');
  expect(await rpc('net_peerCount')).toBe('0x0');
  expect(await rpc('eth_coinbase')).toBe((await rpc('eth_getBlockByNumber', 'pending', false)).miner);
});

test('a call that moves a precompile leaves it where it is for the next call, also when it fails', async () => {
  const { rpc } = kitchen;
  const [identity, target] = [`0x${'4'.padStart(40, '0')}`, `0x${'99'.repeat(20)}`];
  const asked = (to: string, ...overrides: unknown[]) =>
    rpc('eth_call', { to, data: '0x1234' }, 'latest', ...overrides);
  const moved = { [identity]: { movePrecompileToAddress: target } };
  for (const code of ['0x', '0x5f5ffd']) {
    expect(await asked(target, moved)).toBe('0x1234');
    const failing = asked(identity, { [identity]: { ...moved[identity], code } });
    expect(await failing.catch(({ code: number }) => number)).toBe(code === '0x' ? '0x' : 3);
    expect(await asked(identity)).toBe('0x1234');
    expect(await asked(target)).toBe('0x');
  }
});

test('a block built aside is the one that its parts make, and leaves the chain as it is', async () => {
  const { rpc } = kitchen;
  const parent = await rpc('eth_getBlockByNumber', 'latest', false);
  const attributes = {
    timestamp: `0x${(Number(parent.timestamp) + 5).toString(16)}`,
    prevRandao: `0x${'00'.repeat(32)}`,
    suggestedFeeRecipient: kitchen.other,
    withdrawals: [],
    parentBeaconBlockRoot: `0x${'00'.repeat(32)}`,
  };
  const raw = await rpc('debug_getRawTransaction', preconfirmed);
  const build = (transactions: string[] | null) =>
    rpc('testing_buildBlockV1', parent.hash, attributes, transactions, '0x61');
  const built = await build([raw]);
  expect(built.executionPayload).toMatchObject({
    parentHash: parent.hash,
    transactions: [raw],
    extraData: '0x61',
  });
  expect(BigInt(built.blockValue)).toBeGreaterThan(0n);
  expect((await build([])).executionPayload.transactions).toEqual([]);
  await expect(build([raw, raw])).rejects.toMatchObject({ code: -32000 });
  expect(await rpc('eth_getBlockByNumber', 'latest', false)).toEqual(parent);
});
