import { hexToBytes } from '@ethereumjs/util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { keccak256 } from '../../../src/state/keccak.ts';
import { listen } from '../../live-node.ts';
import { BOB, optimismNode, POOR, REVERTING, rawDeposit } from './deposits.ts';

let live: Awaited<ReturnType<typeof optimismNode>>;
beforeEach(async () => {
  live = await optimismNode();
});
afterEach(() => live.close());

const SOURCE = `0x${'5'.repeat(64)}`;
const hashOf = (raw: string) =>
  `0x${Buffer.from(keccak256(hexToBytes(raw as `0x${string}`))).toString('hex')}`;

describe('a deposit object', () => {
  const request = { from: POOR, to: BOB, sourceHash: SOURCE, mint: '0x9', value: '0x5', gas: '0x186a0' };

  it.each([
    ['by its source', {}],
    ['by its type', { type: '0x7e' }],
    ['with all that anvil asks for', { type: '0x7e', isSystemTx: false }],
  ])('is sent %s, for a sender that the node has no key of', async (_, more) => {
    const hash = await live.call('eth_sendTransaction', { ...request, ...more });
    await live.tick();
    expect(await live.call('eth_getTransactionByHash', hash)).toMatchObject({
      type: '0x7e',
      from: POOR,
      sourceHash: SOURCE,
      mint: '0x9',
      value: '0x5',
      gas: '0x186a0',
      gasPrice: '0x0',
      nonce: '0x0',
      depositReceiptVersion: '0x1',
      v: '0x0',
      r: '0x0',
      s: '0x0',
    });
    expect(await live.balance(POOR, 'pending')).toBe(4n);
    const encoded = await live.call('eth_getRawTransactionByHash', hash);
    expect(hashOf(encoded)).toBe(hash);
    expect(await live.call('eth_fillTransaction', { ...request, ...more })).toMatchObject({ raw: encoded });
  });

  it('gets an estimate of its gas where it says nothing, its mint counted', async () => {
    const { gas, ...rest } = request;
    expect(await live.call('eth_estimateGas', rest)).toBe('0x5208');
    const hash = await live.call('eth_sendTransaction', rest);
    expect(await live.receipt(hash)).toBeNull();
    await live.tick();
    expect(await live.receipt(hash)).toMatchObject({ status: '0x1', gasUsed: '0x5208' });
  });

  it('is called on what it mints, and refused what it can not pay', async () => {
    expect(await live.call('eth_call', request)).toBe('0x');
    for (const method of ['eth_call', 'eth_estimateGas'])
      await expect(live.call(method, { ...request, value: '0xa' })).rejects.toMatchObject({ code: -32003 });
    // BALANCE of the caller, who got the mint and gave the value
    await live.call('anvil_setCode', REVERTING, '0x333160005260206000f3');
    expect(BigInt(await live.call('eth_call', { ...request, to: REVERTING }))).toBe(4n);
  });

  it('is simulated: hash, nonce and receipt are those of the block that would hold it', async () => {
    await live.deposit();
    await live.tick();
    const [block] = await live.call(
      'eth_simulateV1',
      {
        blockStateCalls: [{ calls: [request, { from: POOR, to: BOB, value: '0x4' }] }],
        returnFullTransactions: true,
      },
      'pending',
    );
    expect(block.calls.map(({ status }: { status: string }) => status)).toEqual(['0x1', '0x1']);
    const encoded = (await live.call('eth_fillTransaction', request)).raw;
    expect(block.transactions).toMatchObject([
      { type: '0x7e', hash: hashOf(encoded), nonce: '0x1' },
      { type: '0x2', nonce: '0x2' },
    ]);
  });

  it.each([
    ['without a source', { sourceHash: undefined, type: '0x7e' }, /sourceHash/],
    [
      'with an access list',
      { accessList: [{ address: BOB, storageKeys: [] }] },
      /accessList: a deposit has none/,
    ],
    ['with a flag that is none', { isSystemTx: '0x2' }, /isSystemTx/],
  ])('is refused %s', async (_, more, message) => {
    await expect(live.call('eth_sendTransaction', { ...request, ...more })).rejects.toMatchObject({
      code: -32602,
      message: expect.stringMatching(message),
    });
  });

  it('is not signed', async () => {
    const asked = live.call('eth_signTransaction', { ...request, from: live.accounts.first });
    await expect(asked).rejects.toMatchObject({ message: expect.stringMatching(/nobody signs a deposit/) });
  });
});

describe('a deposit that waits', () => {
  it('is pre-confirmed before what came and pays, and is in the stream as it was sent', async () => {
    const stream = await listen(`${live.url}/flashblocks`);
    const transfer = await live.send();
    const encoded = rawDeposit({ mint: 5n });
    const hash = await live.call('eth_sendRawTransaction', encoded);
    await live.tick();
    const pending = await live.call('eth_getBlockByNumber', 'pending', false);
    expect(pending.transactions).toEqual([hash, transfer]);
    expect(await live.balance(POOR, 'pending')).toBe(5n);
    expect(await live.nonce(POOR, 'pending')).toBe(1);
    const messages = await stream.rest();
    expect(messages.flatMap(({ diff }) => diff.transactions)[0]).toBe(encoded);
    await live.seal();
    expect(await live.receipt(hash)).toMatchObject({ transactionIndex: '0x0', depositNonce: '0x0' });
    const second = await live.deposit();
    await live.seal();
    const found = (nonce: string) => live.call('eth_getTransactionBySenderAndNonce', POOR, nonce);
    expect(await Promise.all(['0x0', '0x1'].map(found))).toMatchObject([{ hash }, { hash: second }]);
    expect(await live.call('debug_getRawTransaction', hash)).toBe(encoded);
  });

  it('is in the pool under its hash, beside what its sender signed', async () => {
    const { first } = live.accounts;
    await live.call('evm_setIntervalMining', 0);
    const hash = await live.deposit({ from: first as `0x${string}` });
    const transfer = await live.send();
    const { pending, queued } = await live.call('txpool_contentFrom', first);
    expect(Object.keys(pending)).toEqual(['1', hash]);
    expect([pending['1'].hash, pending[hash].nonce, queued]).toEqual([transfer, '0x0', {}]);
    expect(await live.call('txpool_status')).toEqual({ pending: '0x2', queued: '0x0' });
    expect(await live.nonce(first, 'pending')).toBe(2);
    expect(Object.values((await live.call('txpool_inspect')).pending)[0]).toMatchObject({
      [hash]: expect.stringMatching(/^0x0{36}0B0b: 0 wei \+ 100000 gas × 0 wei$/i),
    });
    await live.call('evm_mine');
    const { transactions } = await live.call('eth_getBlockByNumber', 'latest', false);
    expect(transactions).toEqual([hash, transfer]);
  });

  it('takes the nonce of what its sender signed, which is dropped', async () => {
    const { first } = live.accounts;
    const transfer = await live.send();
    await live.deposit({ from: first as `0x${string}` });
    expect(await live.call('txpool_status')).toEqual({ pending: '0x1', queued: '0x1' });
    await live.tick();
    expect(await live.call('txpool_status')).toEqual({ pending: '0x0', queued: '0x0' });
    expect(await live.nonce(first, 'pending')).toBe(1);
    await live.seal();
    expect(await live.receipt(transfer)).toBeNull();
  });

  it('is dropped by its hash, and its sender goes on as before', async () => {
    const { first } = live.accounts;
    await live.call('evm_setIntervalMining', 0);
    const transfer = await live.send();
    const hash = await live.deposit({ from: first as `0x${string}` });
    expect(await live.call('txpool_status')).toEqual({ pending: '0x1', queued: '0x1' });
    expect(await live.call('anvil_dropTransaction', hash)).toBe(hash);
    await live.call('evm_mine');
    const { transactions } = await live.call('eth_getBlockByNumber', 'latest', false);
    expect(transactions).toEqual([transfer]);
  });
});

describe('a pre-confirmed deposit', () => {
  it('that is dropped again gives its nonce back', async () => {
    const { first } = live.accounts;
    const hash = await live.deposit({ from: first as `0x${string}` });
    await live.tick();
    expect(await live.nonce(first, 'pending')).toBe(1);
    await live.send(first, { nonce: '0x1' });
    expect(await live.call('txpool_status')).toEqual({ pending: '0x1', queued: '0x0' });
    await live.call('devnet_dropPreconfirmed', hash);
    expect(await live.nonce(first, 'pending')).toBe(0);
    expect(await live.call('txpool_status')).toEqual({ pending: '0x0', queued: '0x1' });
    const transfer = await live.send();
    await live.seal();
    expect(await live.receipt(transfer)).toMatchObject({ status: '0x1' });
    expect(await live.receipt(hash)).toBeNull();
  });

  it('is failed on demand by a deposit that fails', async () => {
    const hash = await live.deposit({ mint: 5n, value: 5n });
    await live.tick();
    await live.call('devnet_failPreconfirmed', hash);
    await live.seal();
    const [receipt] = await live.call('eth_getBlockReceipts', 'latest');
    expect(receipt).toMatchObject({ type: '0x7e', status: '0x0', from: POOR, depositNonce: '0x0' });
    expect([await live.balance(POOR), await live.balance(BOB)]).toEqual([0n, 0n]);
  });

  it('goes back with a snapshot, and through a reorg into the new block', async () => {
    const snapshot = await live.call('evm_snapshot');
    const encoded = rawDeposit({ mint: 5n });
    const hash = await live.call('eth_sendRawTransaction', encoded);
    await live.seal();
    expect(await live.balance(POOR)).toBe(5n);
    await live.call('evm_revert', snapshot);
    expect([await live.balance(POOR), await live.receipt(hash)]).toEqual([0n, null]);
    // What was taken back may come again.
    expect(await live.call('eth_sendRawTransaction', encoded)).toBe(hash);
    await live.seal();
    const before = await live.receipt(hash);
    await live.call('devnet_reorg', 1);
    await live.seal();
    const after = await live.receipt(hash);
    expect(after.blockHash).not.toBe(before.blockHash);
    expect([after.status, await live.balance(POOR), await live.nonce(POOR)]).toEqual(['0x1', 5n, 1]);
  });
});

it('traces begin before the mint', async () => {
  const hash = await live.deposit({ mint: 7n, value: 3n });
  await live.seal();
  const diff = await live.call('debug_traceTransaction', hash, {
    tracer: 'prestateTracer',
    tracerConfig: { diffMode: true },
  });
  expect(diff.post).toMatchObject({ [POOR]: { balance: '0x4', nonce: 1 }, [BOB]: { balance: '0x3' } });
  expect(diff.pre[POOR]?.balance ?? '0x0').toBe('0x0');
  expect(await live.call('trace_transaction', hash)).toMatchObject([
    { action: { from: POOR, value: '0x3' } },
  ]);
});

it('the chain says that it is one of the OP Stack', async () => {
  expect(await live.call('anvil_nodeInfo')).toMatchObject({ network: 'optimism' });
});
