import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { searchTransactions } from '../../../src/rpc/read/transaction-search.ts';
import { codeOf } from '../../wire.ts';
import { ALICE, startNode, type TestNode } from '../dev/node.ts';
import { bytes, FakeChain, fakeBlock, fakeTransaction } from '../fake-chain.ts';

/** Reverts. */
const FAILING = '0x5f5ffd';
const CONTRACT = `0x${'c0'.repeat(20)}`;

interface Answer {
  transactions: { hash: string; blockNumber: string; transactionIndex: string }[];
  receipts: { transactionHash: string; timestamp: string }[];
  next: { block: string; index: string } | null;
}

let node: TestNode;
let accounts: readonly string[];
const sent: string[] = [];
const search = (fields: object = {}): Promise<Answer> => node.rpc('devnet_searchTransactions', fields);
const hashes = async (fields: object = {}) => (await search(fields)).transactions.map(({ hash }) => hash);
const newestFirst = (...indexes: number[]) => indexes.map((i) => sent[i]);

// Blocks 1 to 5 have a transaction each, then 11,000 are empty and most of them reserved, and the next one has three.
beforeAll(async () => {
  node = await startNode();
  ({ accounts } = node);
  await node.rpc('anvil_setCode', CONTRACT, FAILING);
  const send = async (fields: object) => {
    sent.push(await node.rpc('eth_sendTransaction', { from: accounts[0], gas: '0x20000', ...fields }));
  };
  await send({ to: ALICE, value: '0x1' });
  await send({ data: '0x5f5ff3' });
  await send({ to: CONTRACT, data: '0xa9059cbb00' });
  await send({ from: accounts[1], to: ALICE, value: '0x2' });
  await send({ to: CONTRACT, data: '0x01020304' });
  await node.rpc('anvil_mine', '0x2af8');
  await node.rpc('evm_setAutomine', false);
  for (const value of ['0x3', '0x4', '0x5']) await send({ to: ALICE, value });
  await node.rpc('evm_mine');
});
afterAll(() => node.close());

describe('devnet_searchTransactions', () => {
  it('answers transactions and receipts with times, the newest first', async () => {
    const { transactions, receipts, next } = await search({ limit: 2 });
    expect(transactions).toEqual([
      await node.rpc('eth_getTransactionByHash', sent[7]),
      await node.rpc('eth_getTransactionByHash', sent[6]),
    ]);
    const { timestamp } = await node.block('latest');
    expect(receipts[0]).toEqual({ ...(await node.rpc('eth_getTransactionReceipt', sent[7])), timestamp });
    expect(next).toEqual({ block: transactions[1]!.blockNumber, index: '0x1' });
  });

  it('jumps over reserved blocks', async () => {
    const { transactions, next } = await search();
    expect(transactions.map(({ hash }) => hash)).toEqual(newestFirst(7, 6, 5, 4, 3, 2, 1, 0));
    expect(next).toBeNull();
    expect(await hashes({ after: { block: '0x5', index: '0x0' } })).toEqual([sent[5], sent[6], sent[7]]);
  });

  it('goes through other empty blocks, a bounded number in one request, and jumps over them the next time', async () => {
    const empty = fakeBlock(2n, bytes(1));
    const first = fakeBlock(1n, bytes(1), [{ transaction: fakeTransaction({ type: 2, nonce: 0n }) }]);
    const newest = fakeBlock(11_002n, bytes(1), [{ transaction: fakeTransaction({ type: 2, nonce: 0n }) }]);
    const chain = new FakeChain([fakeBlock(0n, bytes(1)), newest], newest);
    chain.resolve = (ref) => {
      if (!('number' in ref) || ref.number === 11_002n) return newest;
      return ref.number === 1n ? first : empty;
    };
    const find = async (before?: { block: bigint; index: bigint }) => {
      const { transactions, next } = await searchTransactions(
        { limit: 25, ...(before && { before }) },
        { chain },
      );
      return [transactions.length, next];
    };
    const edge = 11_002n - 10_000n + 1n;
    expect(await find()).toEqual([1, { block: `0x${edge.toString(16)}`, index: '0x0' }]);
    expect(await find({ block: edge, index: 0n })).toEqual([1, null]);
    expect(await find()).toEqual([2, null]);
  });

  it.each([1, 2, 5])('leads through all pages of %i, both ways', async (limit) => {
    const pages = async (direction: 'before' | 'after', from: string) => {
      const all: string[] = [];
      for (let next: Answer['next'] = { block: from, index: '0x0' }; next !== null; ) {
        const page = await search({ limit, [direction]: next });
        all.push(...page.transactions.map(({ hash }) => hash));
        next = page.next;
      }
      return all;
    };
    expect(await pages('before', '0x6')).toEqual(newestFirst(4, 3, 2, 1, 0));
    const last = `0x${((await node.number()) - 1).toString(16)}`;
    expect(await pages('after', last)).toEqual([sent[5], sent[6], sent[7]]);
  });

  it('finds what is before and after a transaction', async () => {
    const block = `0x${(await node.number()).toString(16)}`;
    expect((await search({ before: { block, index: '0x1' }, limit: 1 })).transactions[0]!.hash).toBe(sent[5]);
    expect(await hashes({ after: { block, index: '0x1' } })).toEqual(newestFirst(7));
    expect(await hashes({ before: { block: '0x3' } })).toEqual(newestFirst(1, 0));
    expect(await hashes({ after: { block: '0x2', index: '0x0' }, limit: 2 })).toEqual([sent[2], sent[3]]);
  });

  it('filters by sender, recipient, function, outcome and creation', async () => {
    const before = { block: '0x6' };
    expect(await hashes({ before, from: accounts[1] })).toEqual(newestFirst(3));
    expect(await hashes({ before, to: ALICE.toUpperCase().replace('0X', '0x') })).toEqual(newestFirst(3, 0));
    expect(await hashes({ before, selector: '0xa9059cbb' })).toEqual(newestFirst(2));
    expect(await hashes({ before, failed: true })).toEqual(newestFirst(4, 2));
    expect(await hashes({ before, failed: false, from: accounts[0] })).toEqual(newestFirst(1, 0));
    expect(await hashes({ before, creates: true })).toEqual(newestFirst(1));
    expect(await hashes({ before, creates: false, failed: false })).toEqual(newestFirst(3, 0));
    expect(await hashes({ before, to: CONTRACT, failed: false })).toEqual([]);
  });

  it('finds what takes the place of empty blocks that were removed', async () => {
    const own = await startNode();
    const snapshot = await own.rpc('evm_snapshot');
    await own.rpc('anvil_mine', '0x3');
    const newest = async () =>
      (await own.rpc('devnet_searchTransactions')).transactions.map(({ hash }: { hash: string }) => hash);
    expect(await newest()).toEqual([]);
    await own.rpc('evm_revert', snapshot);
    const hash = await own.transfer();
    await own.rpc('anvil_mine', '0x2');
    expect(await newest()).toEqual([hash]);
    await own.close();
  });

  it('refuses what it cannot read', async () => {
    for (const bad of [
      { before: { block: '0x1' }, after: { block: '0x1' } },
      { limit: 0 },
      { limit: 1_001 },
      { selector: '0xa9059c' },
      { from: '0x12' },
      { failed: 'yes' },
      { before: 5 },
    ])
      expect(await codeOf(search(bad)), JSON.stringify(bad)).toBe(-32602);
  });
});
