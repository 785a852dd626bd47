import { describe, expect, it } from 'vitest';
import type { Wire } from '../../wire.ts';
import { closeChainsAfterEachTest, encode, forkOf, original } from './chains.ts';
import { closeProxiesAfterEachTest, proxyOf } from './proxy.ts';

closeProxiesAfterEachTest();

closeChainsAfterEachTest();

describe('a forked chain', () => {
  it('searches transactions on both sides of the fork, by pages, with filters', async () => {
    const one = await original();
    const fork = await forkOf(one);
    // What the other chain has after the fork isn't a part of this one.
    await one.send({ to: one.accounts[5], value: '0x1' });
    const own = await fork.send({ to: one.accounts[5], value: '0x2' });
    const search = (fields: object = {}): Promise<Wire> => fork.call('devnet_searchTransactions', fields);
    const all = await search();
    const there = await one.call('devnet_searchTransactions', { before: { block: '0x4' } });
    expect(there.transactions).toHaveLength(3);
    expect(all.transactions.map(({ hash }: Wire) => hash)).toEqual([
      own,
      ...there.transactions.map(({ hash }: Wire) => hash),
    ]);
    expect(all.receipts.slice(1)).toEqual(there.receipts);
    expect(all.next).toBeNull();
    const found: string[] = [];
    for (let next: Wire = { block: '0x5' }; next; ) {
      const page = await search({ before: next, limit: 1 });
      found.push(...page.transactions.map(({ hash }: Wire) => hash));
      next = page.next;
    }
    expect(found).toEqual(all.transactions.map(({ hash }: Wire) => hash));
    const up = await search({ after: { block: '0x2', index: '0x0' } });
    expect(up.transactions.map(({ hash }: Wire) => hash)).toEqual([one.sent[1], own]);
    const created = await search({ creates: true });
    expect(created.receipts.map(({ contractAddress }: Wire) => contractAddress)).toEqual([one.token]);
    expect((await search({ to: one.token, selector: '0xa9059cbb' })).transactions).toHaveLength(2);
    expect((await search({ failed: true })).transactions).toEqual([]);
  });

  it('answers what it found where the node of the other chain fails, and then its error', async () => {
    const one = await original();
    const proxy = await proxyOf(one.url);
    const fork = await forkOf(proxy);
    const own = await fork.send({ to: one.accounts[5], value: '0x2' });
    proxy.state.fault = ([method]) =>
      method === 'eth_getBlockReceipts'
        ? { status: 200, body: '{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"none"}}' }
        : undefined;
    const { transactions, next } = await fork.call('devnet_searchTransactions');
    expect(transactions.map(({ hash }: Wire) => hash)).toEqual([own]);
    await expect(fork.call('devnet_searchTransactions', { before: next })).rejects.toMatchObject({
      code: -32601,
    });
  });

  describe('a search for the transactions of an address', () => {
    /** The chain that was forked has three in blocks 1 to 3 and goes on; the fork has two in blocks 4 and 5. */
    async function searched(url?: (one: { url: string }) => Promise<{ url: string }>) {
      const one = await original();
      const fork = await forkOf(url ? await url(one) : one);
      const transfer = (n: number) => ({ to: one.token, data: encode('transfer', one.accounts[n], 1n) });
      await one.send(transfer(3));
      const own = [await fork.send(transfer(4)), await fork.send(transfer(5))];
      const search = (direction: 'Before' | 'After', number: number, size: number): Promise<Wire> =>
        fork.call(`ots_searchTransactions${direction}`, one.accounts[0], number, size);
      return { one, fork, own, search };
    }
    async function withFault(body: string) {
      return searched(async ({ url }) => {
        const proxy = await proxyOf(url);
        proxy.state.fault = ([method]) => (method!.startsWith('ots_') ? { status: 200, body } : undefined);
        return proxy;
      });
    }
    const numbers = ({ txs }: Wire) => txs.map(({ blockNumber }: Wire) => Number(blockNumber));

    it('finds those on both sides of the fork, with their receipts', async () => {
      const { one, fork, own, search } = await searched();
      const [first] = one.accounts;
      const all = await search('Before', 0, 25);
      expect(numbers(all)).toEqual([5, 4, 3, 2, 1]);
      expect(all).toMatchObject({ firstPage: true, lastPage: true });
      expect(all.txs.slice(0, 2).map(({ hash }: Wire) => hash)).toEqual(own.toReversed());
      const there = await one.call('ots_searchTransactionsBefore', first, 4, 25);
      expect(all.txs.slice(2)).toEqual(there.txs);
      expect(all.receipts.slice(2)).toEqual(there.receipts);
      expect(await search('After', 0, 25)).toEqual(all);
      for (const [number, found] of [
        [1, [5, 4, 3, 2]],
        [2, [5, 4, 3]],
        [3, [5, 4]],
        [4, [5]],
        [5, []],
      ] as const) {
        const page = await search('After', number, 25);
        expect([number, numbers(page)]).toEqual([number, found]);
        expect(page).toMatchObject({ firstPage: true, lastPage: false });
      }
      for (const [number, found] of [
        [1, []],
        [3, [2, 1]],
        [4, [3, 2, 1]],
        [5, [4, 3, 2, 1]],
      ] as const) {
        const page = await search('Before', number, 25);
        expect([number, numbers(page)]).toEqual([number, found]);
        expect(page).toMatchObject({ firstPage: false, lastPage: true });
      }
      await fork.call('anvil_rollback', 2);
      expect(numbers(await search('Before', 0, 25))).toEqual([3, 2, 1]);
      expect(await search('Before', 4, 25)).toMatchObject({ firstPage: true, lastPage: true });
    });

    it.each([1, 2, 3, 4, 5])('leads through all pages of %i, both ways', async (size) => {
      const { search } = await searched();
      const down: number[] = [];
      for (let at = 0, last = false; !last; at = down.at(-1)!) {
        const page = await search('Before', at, size);
        expect(page.firstPage).toBe(at === 0);
        expect(page.txs.length).toBeGreaterThan(0);
        down.push(...numbers(page));
        last = page.lastPage;
      }
      expect(down).toEqual([5, 4, 3, 2, 1]);
      const up: number[] = [];
      for (let at = 0, first = false; !first; at = up[0]!) {
        const page = await search('After', at, size);
        expect(page.lastPage).toBe(at === 0);
        up.unshift(...numbers(page));
        first = page.firstPage;
      }
      expect(up).toEqual([5, 4, 3, 2, 1]);
    });

    it('says where the other node can not search, and still finds what is here', async () => {
      const { search } = await withFault(
        '{"id":1,"error":{"code":-32601,"message":"the method does not exist"}}',
      );
      const refused = (method: string) => ({
        code: -32000,
        message: expect.stringMatching(`^blocks up to 3 .*${method}.*the method does not exist`),
      });
      const before = await search('Before', 0, 25);
      expect(numbers(before)).toEqual([5, 4]);
      expect(before).toMatchObject({ firstPage: true, lastPage: false });
      expect(numbers(await search('Before', 5, 25))).toEqual([4]);
      for (const number of [1, 3, 4])
        await expect(search('Before', number, 25)).rejects.toMatchObject(
          refused('ots_searchTransactionsBefore'),
        );
      for (const number of [0, 2])
        await expect(search('After', number, 25)).rejects.toMatchObject(
          refused('ots_searchTransactionsAfter'),
        );
      expect(numbers(await search('After', 3, 25))).toEqual([5, 4]);
    });

    it('does not take any answer for a page', async () => {
      const { search } = await withFault('{"id":1,"result":{"txs":[{}]}}');
      await expect(search('After', 0, 25)).rejects.toMatchObject({
        code: -32000,
        message: expect.stringMatching(/^the forked node 127\.0\.0\.1:\d+ did not answer/),
      });
    });
  });
});
