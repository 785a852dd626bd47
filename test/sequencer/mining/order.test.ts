import { describe, expect, it } from 'vitest';
import { codeOf } from '../../wire.ts';
import { GWEI, startChain } from '../start-chain.ts';

/** Runs for about `gas`, then stops: an endless loop as init code. */
const LOOP = '0x5b600056';

describe('what a flashblock takes', () => {
  it('orders by effective tip, then by arrival', async () => {
    await using chain = await startChain({ blockTime: 2 });
    const low = await chain.send({ from: 0, tip: 1n * GWEI });
    const high = await chain.send({ from: 1, tip: 3n * GWEI });
    const sameAsHigh = await chain.send({ from: 2, tip: 3n * GWEI });
    // A cap that leaves 2 gwei over the base fee.
    const capped = await chain.send({ from: 3, tip: 3n * GWEI, cap: 3n * GWEI });
    await chain.clock.advance(200);
    expect((await chain.block('pending')).transactions).toEqual([high, sameAsHigh, capped, low]);
  });

  it('orders by arrival with --order fifo', async () => {
    await using chain = await startChain({ blockTime: 2, order: 'fifo' });
    const hashes = [];
    for (const [from, tip] of [2n, 9n, 1n].entries())
      hashes.push(await chain.send({ from, tip: tip * GWEI, cap: 50n * GWEI }));
    await chain.clock.advance(200);
    expect((await chain.block('pending')).transactions).toEqual(hashes);
  });

  it("keeps each sender's nonces in order, whatever they pay", async () => {
    await using chain = await startChain({ blockTime: 2 });
    const second = await chain.send({ nonce: 1, tip: 9n * GWEI });
    const first = await chain.send({ nonce: 0, tip: 1n });
    const other = await chain.send({ from: 1, tip: 2n * GWEI });
    await chain.clock.advance(200);
    expect((await chain.block('pending')).transactions).toEqual([other, first, second]);
  });

  it('a replacement must raise both fees by a tenth', async () => {
    await using chain = await startChain({ blockTime: 2 });
    await chain.send({ nonce: 0, tip: 100n, cap: 10n * GWEI });
    expect(await codeOf(chain.send({ nonce: 0, tip: 109n, cap: 11n * GWEI }))).toBe(-32003);
    expect(await codeOf(chain.send({ nonce: 0, tip: 110n, cap: 11n * GWEI - 1n }))).toBe(-32003);
    const replacement = await chain.send({ nonce: 0, tip: 110n, cap: 11n * GWEI });
    await chain.clock.advance(200);
    expect((await chain.block('pending')).transactions).toEqual([replacement]);
  });

  it("what doesn't fit the block's gas goes into the next block", async () => {
    await using chain = await startChain({ blockTime: 2, flashblockInterval: 1000, gasLimit: 63_000 });
    const hashes: string[] = [];
    for (let nonce = 0; nonce < 5; nonce++) hashes.push(await chain.send({ nonce }));
    await chain.clock.advance(4000);
    expect((await chain.block('0x1')).transactions).toEqual(hashes.slice(0, 3));
    expect((await chain.block('0x2')).transactions).toEqual(hashes.slice(3));
  });

  it("a flood is spread: an index takes about its share of the block's gas", async () => {
    await using chain = await startChain({ blockTime: 2, gasLimit: 2_100_000 });
    for (let nonce = 0; nonce < 100; nonce++) await chain.send({ nonce });
    await chain.clock.advance(2000);
    // Ten indexes share 100 transfers. An index stops once it used its share, so it may take one more.
    const counts = chain.flashblocks().map(({ transactions }) => transactions.length);
    expect(counts.slice(0, 11)).toEqual([0, 11, 11, 11, 11, 11, 11, 11, 11, 11, 1]);
  });

  it('a transaction as large as the block goes in all the same', async () => {
    await using chain = await startChain({ blockTime: 2, gasLimit: 5_000_000 });
    const hash = await chain.send({ to: null, data: LOOP, gas: 5_000_000n, value: 0n });
    await chain.clock.advance(200);
    expect(await chain.receipt(hash)).toMatchObject({ status: '0x0', gasUsed: '0x4c4b40' });
  });

  it('a transaction that can no longer be paid is dropped and reported', async () => {
    await using chain = await startChain({ blockTime: 2, balance: 1 });
    const ether = 10n ** 18n;
    const first = await chain.send({ nonce: 0, value: ether / 2n });
    const second = await chain.send({ nonce: 1, value: ether / 2n });
    await chain.clock.advance(200);
    expect((await chain.block('pending')).transactions).toEqual([first]);
    expect(
      chain.dropped().map(({ transaction }) => `0x${Buffer.from(transaction.hash).toString('hex')}`),
    ).toEqual([second]);
    expect(chain.dropped()[0]!.reason).toMatch(/insufficient funds/);
    expect(await chain.pendingNonce()).toBe(1n);
    expect(await codeOf(chain.send({ nonce: 1, value: 0n }))).toBeUndefined();
  });

  it('a fee cap under the base fee waits until the base fee falls', async () => {
    await using chain = await startChain({ blockTime: 2, baseFee: 10n * GWEI });
    const hash = await chain.send({ cap: 8n * GWEI });
    await chain.clock.advance(2000);
    expect(await chain.receipt(hash)).toBeNull();
    await chain.clock.advance(200);
    expect((await chain.receipt(hash)).blockNumber).toBe('0x2');
    expect(chain.dropped()).toEqual([]);
  });
});
