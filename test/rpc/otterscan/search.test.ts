import { createAddressFromString } from '@ethereumjs/util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DevnetError } from '../../../src/errors.ts';
import type { Tracing } from '../../../src/execution/trace.ts';
import { AddressIndex } from '../../../src/rpc/read/address-index.ts';
import { searchAfter, searchBefore } from '../../../src/rpc/read/ots-search.ts';
import { codeOf } from '../../wire.ts';
import { ALICE, startNode, type TestNode } from '../dev/node.ts';
import { bytes, FakeChain, fakeBlock, fakeTransaction, SENDER } from '../fake-chain.ts';
import { BOB, BUSY, DEAD, initOf } from './programs.ts';

const NOBODY = '0x1111111111111111111111111111111111111111';

interface Answer {
  txs: { hash: string; blockNumber: string }[];
  receipts: { transactionHash: string; timestamp: string }[];
  firstPage: boolean;
  lastPage: boolean;
}

let node: TestNode;
let alice: string;
let contract: string;
const search = (method: 'Before' | 'After', address: string, number: number, size: number): Promise<Answer> =>
  node.rpc(`ots_searchTransactions${method}`, address, number, size);
const numbers = ({ txs }: Answer) => txs.map(({ blockNumber }) => Number(blockNumber));

// Block 1 creates, 2 is empty, 3 and 5 call, 4 and 6 send ETH to Bob, 7 is empty.
beforeAll(async () => {
  node = await startNode();
  alice = node.accounts[0]!;
  const send = (fields: object) =>
    node.rpc('eth_sendTransaction', { from: alice, gas: '0x1000000', ...fields });
  contract = (await node.rpc('eth_getTransactionReceipt', await send({ data: initOf(BUSY) })))
    .contractAddress;
  await node.rpc('evm_mine');
  await send({ to: contract, value: '0x64' });
  await send({ to: BOB, value: '0x1', gas: '0x5208' });
  await send({ to: contract, value: '0x64' });
  await send({ to: BOB, value: '0x1', gas: '0x5208' });
  await node.rpc('evm_mine');
});
afterAll(() => node.close());

describe('a search', () => {
  test('finds what an address sent, got, created and was sent within other calls', async () => {
    expect(numbers(await search('Before', alice, 0, 25))).toEqual([6, 5, 4, 3, 1]);
    expect(numbers(await search('Before', contract, 0, 25))).toEqual([5, 3, 1]);
    expect(numbers(await search('Before', DEAD, 0, 25))).toEqual([5, 3]);
    expect(numbers(await search('Before', BOB, 0, 25))).toEqual([6, 5, 4, 3]);
    expect(await search('Before', NOBODY, 0, 25)).toEqual({
      txs: [],
      receipts: [],
      firstPage: true,
      lastPage: true,
    });
  });

  test('answers transactions with their receipts and times', async () => {
    const { txs, receipts } = await search('Before', DEAD, 4, 25);
    const { hash } = txs[0]!;
    const { timestamp } = await node.block('0x3');
    expect(txs).toEqual([await node.rpc('eth_getTransactionByHash', hash)]);
    expect(receipts).toEqual([{ ...(await node.rpc('eth_getTransactionReceipt', hash)), timestamp }]);
  });

  test.each([1, 2, 3, 4, 5])('leads through all pages of %i, both ways', async (size) => {
    const all = numbers(await search('Before', alice, 0, 25));
    const down: number[] = [];
    for (let at = 0, last = false; !last; at = down.at(-1)!) {
      const page = await search('Before', alice, at, size);
      expect(page.firstPage).toBe(at === 0);
      down.push(...numbers(page));
      last = page.lastPage;
    }
    expect(down).toEqual(all);
    const up: number[] = [];
    for (let at = 0, first = false; !first; at = up[0]!) {
      const page = await search('After', alice, at, size);
      expect(page.lastPage).toBe(at === 0);
      up.unshift(...numbers(page));
      first = page.firstPage;
    }
    expect(up).toEqual(all);
  });

  test('from a block does not look at the block itself', async () => {
    expect(await search('Before', BOB, 4, 25)).toMatchObject({ firstPage: false, lastPage: true });
    expect(numbers(await search('Before', BOB, 4, 25))).toEqual([3]);
    expect(numbers(await search('After', BOB, 4, 25))).toEqual([6, 5]);
    expect(await search('Before', BOB, 999, 25)).toMatchObject({ firstPage: true, lastPage: true });
    expect(await search('After', BOB, 999, 25)).toMatchObject({ txs: [], firstPage: true, lastPage: false });
    expect(await search('Before', BOB, 1, 25)).toMatchObject({ txs: [], firstPage: false, lastPage: true });
  });

  test('never splits a block: the page is longer then', async () => {
    await node.rpc('evm_setAutomine', false);
    for (let i = 0; i < 3; i++) await node.transfer();
    await node.rpc('evm_mine');
    await node.rpc('evm_setAutomine', true);
    await node.transfer();
    const { txs, ...flags } = await search('Before', ALICE, 0, 2);
    expect(numbers({ txs, ...flags })).toEqual([9, 8, 8, 8]);
    expect(flags).toMatchObject({ firstPage: true, lastPage: true });
    const { transactions } = await node.block('0x8');
    expect(txs.slice(1).map(({ hash }) => hash)).toEqual(transactions.toReversed());
  });

  test('forgets what was taken back', async () => {
    await node.rpc('anvil_rollback', 4);
    expect(numbers(await search('Before', BOB, 0, 25))).toEqual([5, 4, 3]);
    await node.rpc('eth_sendTransaction', { from: alice, to: contract, gas: '0x1000000' });
    expect(numbers(await search('Before', DEAD, 0, 25))).toEqual([6, 5, 3]);
  });

  test('refuses pages of more than a thousand', async () => {
    expect(await node.codeOf('ots_searchTransactionsBefore', alice, 0, 1_001)).toBe(-32000);
    expect(await node.codeOf('ots_searchTransactionsAfter', alice, 0, 1_001)).toBe(-32000);
  });
});

describe('a search over many blocks', () => {
  /** Blocks of one transaction each, of which only the first one's has to do with who is searched for. */
  const chainOf = (count: number) => {
    const blocks = [fakeBlock(0n, bytes(0))];
    for (let number = 1; number <= count; number++)
      blocks.push(
        fakeBlock(BigInt(number), blocks.at(-1)!.hash, [
          { transaction: fakeTransaction({ type: 2, nonce: BigInt(number) }), receipt: { gasUsed: 30_000n } },
        ]),
      );
    return new FakeChain(blocks, fakeBlock(BigInt(count + 1), blocks.at(-1)!.hash));
  };
  const counted = () => {
    let executed = 0;
    const tracing = {
      block: async (block: { transactions: readonly unknown[] }) => {
        executed++;
        return block.transactions.map(() => new Set([SENDER.toString()]));
      },
    } as unknown as Tracing;
    return { addresses: (most: number) => new AddressIndex({ most }, { tracing }), count: () => executed };
  };
  const sender = { address: SENDER, number: 0n, size: 1_000 };

  test('executes each block once', async () => {
    const chain = chainOf(20);
    const { addresses, count } = counted();
    const index = addresses(1_000);
    for (let i = 0; i < 3; i++)
      expect((await searchBefore(sender, { chain, addresses: index })).txs).toHaveLength(20);
    expect(count()).toBe(20);
  });

  test('finds what transactions name where a block can not be executed again', async () => {
    const chain = chainOf(3);
    const tracing = {
      block: () => Promise.reject(new DevnetError('stateUnknown', { number: 0n })),
    } as unknown as Tracing;
    const addresses = new AddressIndex({ most: 10 }, { tracing });
    expect((await searchBefore(sender, { chain, addresses })).txs).toHaveLength(3);
  });

  test('forgets the oldest of what it learned where that is too much', async () => {
    const chain = chainOf(20);
    const { addresses, count } = counted();
    const index = addresses(5);
    for (let i = 0; i < 2; i++) await searchBefore(sender, { chain, addresses: index });
    expect(count()).toBe(40);
  });

  test('ends with its request', async () => {
    const chain = chainOf(20);
    const { addresses, count } = counted();
    const pauses = {
      // The time is up after five blocks.
      get due() {
        return count() === 5;
      },
      pause: () => Promise.reject(new DevnetError('timedOut', { ms: 1 })),
      hold: () => {},
    };
    const search = searchBefore(sender, { chain, addresses: addresses(1_000), pauses });
    await expect(search).rejects.toMatchObject({ kind: 'timedOut' });
    expect(count()).toBe(5);
  });

  test('jumps over reserved blocks, and over empty ones that were seen before', async () => {
    const chain = new FakeChain(
      [...chainOf(3).blocks, ...[4n, 5n, 6n].map((number) => fakeBlock(number, bytes(1)))],
      fakeBlock(7n, bytes(1)),
    );
    const read: bigint[] = [];
    const resolve = chain.resolve.bind(chain);
    chain.resolve = (ref) => {
      if ('number' in ref) read.push(ref.number);
      return resolve(ref);
    };
    const reserved = { first: 2n, last: 2n };
    chain.logged.reservedAt = (number) => (number === 2n ? reserved : undefined);
    const { addresses } = counted();
    const index = addresses(1_000);
    expect((await searchBefore(sender, { chain, addresses: index })).txs).toHaveLength(2);
    expect(read).toEqual([6n, 5n, 4n, 3n, 1n]);
    read.length = 0;
    expect((await searchAfter(sender, { chain, addresses: index })).txs).toHaveLength(2);
    expect(read).toEqual([1n, 3n]);
  });

  test('ends after a thousand blocks that had to be executed, and goes on from there', async () => {
    const chain = chainOf(1_200);
    const { addresses, count } = counted();
    const index = addresses(10_000);
    const nobody = { ...sender, address: createAddressFromString(NOBODY) };
    expect(await codeOf(searchBefore(nobody, { chain, addresses: index }))).toBe(-32000);
    expect(count()).toBe(1_000);
    expect(await searchBefore(nobody, { chain, addresses: index })).toMatchObject({
      txs: [],
      lastPage: true,
    });
    expect(count()).toBe(1_200);
    // What was found until then is a page of its own.
    const fresh = counted();
    const some = await searchBefore(
      { ...sender, size: 1_100 },
      { chain, addresses: fresh.addresses(10_000) },
    );
    expect(some.txs).toHaveLength(1_000);
    expect(some.lastPage).toBe(false);
  });
});
