import { bytesToHex } from '@ethereumjs/util';
import { describe, expect, it } from 'vitest';
import { codeOf } from '../../wire.ts';
import { GENESIS, GWEI, startChain } from '../start-chain.ts';

const twoSeconds = { blockTime: 2, flashblockInterval: 200 };

describe('interval mode', () => {
  it('opens a block at index 0 without transactions and adds an index per interval; the last one seals', async () => {
    await using chain = await startChain(twoSeconds);
    const hash = await chain.send();
    for (let index = 0; index <= 9; index++) {
      expect(chain.flashblocks().at(-1)).toMatchObject({ index, payload: 1n });
      expect(BigInt(await chain.call('eth_blockNumber'))).toBe(0n);
      await chain.clock.advance(200);
    }
    expect(BigInt(await chain.call('eth_blockNumber'))).toBe(1n);
    const told = chain.seen.map((item) =>
      item.kind === 'flashblock' ? `${item.event.payload}/${item.event.index}` : item.kind,
    );
    const first = [...Array(11).keys()].map((index) => `1/${index}`);
    expect(told).toEqual([...first, 'sealed', '2/0']);
    expect(chain.flashblocks().map(({ transactions }) => transactions.length)).toEqual([
      0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    ]);
    expect((await chain.block('latest')).transactions).toEqual([hash]);
  });

  it('timestamps are the scheduled seal, fixed at index 0', async () => {
    await using chain = await startChain(twoSeconds);
    for (let number = 1n; number <= 3n; number++) {
      const scheduled = GENESIS + 2n * number;
      for (let i = 0; i < 10; i++) {
        expect(BigInt((await chain.block('pending')).timestamp)).toBe(scheduled);
        await chain.clock.advance(200);
      }
      expect(BigInt((await chain.block('latest')).timestamp)).toBe(scheduled);
    }
  });

  it('an interval that does not divide the block time leaves a shorter last slot', async () => {
    await using chain = await startChain({ blockTime: 1, flashblockInterval: 300 });
    const at: [number, number][] = [];
    for (let ms = 0; ms < 1000; ms += 50) {
      const before = chain.flashblocks().length;
      await chain.clock.advance(50);
      for (const { index } of chain.flashblocks().slice(before)) at.push([chain.elapsed(), index]);
    }
    expect(at).toEqual([
      [300, 1],
      [600, 2],
      [900, 3],
      [1000, 4],
      [1000, 0],
    ]);
  });

  it("the flashblocks' transactions are the sealed list, the last hash is the sealed hash, cumulative gas grows", async () => {
    await using chain = await startChain(twoSeconds);
    for (let tick = 0; tick < 23; tick++) {
      for (let from = 0; from < tick % 4; from++) await chain.send({ from });
      await chain.clock.advance(200);
    }
    const sealed = chain.sealed();
    expect(sealed).toHaveLength(2);
    for (const block of sealed) {
      const parts = chain.flashblocks().filter((part) => part.block.header.number === block.header.number);
      expect(parts.map(({ index }) => index)).toEqual([...Array(11).keys()]);
      expect(new Set(parts.map(({ payload }) => payload)).size).toBe(1);
      expect(parts.flatMap(({ transactions }) => transactions)).toEqual(block.transactions);
      expect(bytesToHex(parts.at(-1)!.block.hash)).toBe(bytesToHex(block.hash));
      const gas = parts.map((part) => part.block.header.gasUsed);
      expect(gas).toEqual([...gas].sort((a, b) => Number(a - b)));
      for (const part of parts) {
        const { receipts, header } = part.block;
        expect(receipts.at(-1)?.cumulativeGasUsed ?? 0n).toBe(header.gasUsed);
      }
    }
  });

  it('what was published keeps its place when a better tip comes', async () => {
    await using chain = await startChain(twoSeconds);
    const low = await chain.send({ from: 1, tip: 1n });
    await chain.clock.advance(200);
    const high = await chain.send({ from: 2, tip: 5n * GWEI });
    await chain.clock.advance(200);
    expect((await chain.block('pending')).transactions).toEqual([low, high]);
  });

  it('a waiting transaction has no receipt, and is found by its hash once it is pre-confirmed', async () => {
    await using chain = await startChain(twoSeconds);
    const hash = await chain.send();
    expect(await chain.receipt(hash)).toBeNull();
    const found = chain.call('eth_getTransactionByHash', hash);
    await chain.clock.advance(200);
    expect(await found).toMatchObject({ blockNumber: '0x1', transactionIndex: '0x0' });
    const pending = await chain.block('pending');
    const early = await chain.receipt(hash);
    expect(early).toMatchObject({ blockNumber: pending.number, blockHash: pending.hash, status: '0x1' });
    await chain.clock.advance(1800);
    const { blockHash } = await chain.block('latest').then(({ hash: blockHash }) => ({ blockHash }));
    expect(await chain.receipt(hash)).toEqual({ ...early, blockHash, logs: [] });
  });

  it('a pre-confirmed transaction has left the mempool: dropping it answers null, replacing it is nonce too low', async () => {
    await using chain = await startChain(twoSeconds);
    const hash = await chain.send({ nonce: 0 });
    await chain.clock.advance(200);
    expect(await chain.call('anvil_dropTransaction', hash)).toBeNull();
    expect(await codeOf(chain.send({ nonce: 0, tip: 3n * GWEI, cap: 50n * GWEI }))).toBe(-32003);
    expect(await chain.pendingNonce()).toBe(1n);
  });

  it('evm_mine seals the open block now, with all that waits', async () => {
    await using chain = await startChain({ ...twoSeconds, gasLimit: 10n * 21_000n });
    for (let nonce = 0; nonce < 10; nonce++) await chain.send({ nonce });
    await chain.call('evm_mine');
    expect((await chain.block('latest')).transactions).toHaveLength(10);
    expect(chain.flashblocks().map(({ index, payload }) => `${payload}/${index}`)).toEqual([
      '1/0',
      '1/1',
      '2/0',
    ]);
    // The next block has its whole time.
    await chain.clock.advance(1999);
    expect(BigInt(await chain.call('eth_blockNumber'))).toBe(1n);
    await chain.clock.advance(1);
    expect(BigInt(await chain.call('eth_blockNumber'))).toBe(2n);
  });

  it('evm_mine with a timestamp makes a block that has it, after sealing what was pre-confirmed', async () => {
    await using chain = await startChain(twoSeconds);
    const hash = await chain.send();
    await chain.clock.advance(200);
    const timestamp = GENESIS + 1000n;
    await chain.call('evm_mine', `0x${timestamp.toString(16)}`);
    const latest = await chain.block('latest');
    expect([BigInt(latest.number), BigInt(latest.timestamp)]).toEqual([2n, timestamp]);
    expect((await chain.receipt(hash)).blockNumber).toBe('0x1');
    await chain.clock.advance(2000);
    expect(BigInt((await chain.block('latest')).timestamp)).toBe(timestamp + 2n);
  });

  it('stop seals the open block if it has transactions, else drops it', async () => {
    const chain = await startChain(twoSeconds);
    await chain.sequencer.stop();
    expect(chain.sealed()).toHaveLength(0);
    await chain.close();

    const busy = await startChain(twoSeconds);
    const hash = await busy.send();
    await busy.clock.advance(200);
    await busy.sequencer.stop();
    expect(busy.sealed().map((block) => block.transactions.map((tx) => bytesToHex(tx.hash)))).toEqual([
      [hash],
    ]);
    expect(await codeOf(busy.send())).toBe(-32000);
    await busy.clock.advance(10_000);
    expect(busy.sealed()).toHaveLength(1);
    await busy.close();
  });

  it('the manual clock never merges', async () => {
    await using chain = await startChain(twoSeconds);
    await chain.clock.advance(60_000);
    expect(BigInt(await chain.call('eth_blockNumber'))).toBe(30n);
    expect(await chain.call('devnet_metrics')).toMatchObject({ ticks: 300, mergedTicks: 0, lateTicks: 0 });
  });
});

describe('without partial blocks', () => {
  const options = { blockTime: 2, flashblockInterval: 0 };

  it('pending is the block that would be mined now, and nothing is pre-confirmed', async () => {
    await using chain = await startChain(options);
    const hash = await chain.send();
    expect((await chain.block('pending')).transactions).toEqual([hash]);
    expect(await chain.receipt(hash)).toBeNull();
    expect(await chain.call('eth_getTransactionByHash', hash)).toMatchObject({ hash, blockHash: null });
    await chain.clock.advance(1999);
    expect(BigInt(await chain.call('eth_blockNumber'))).toBe(0n);
    await chain.clock.advance(1);
    const latest = await chain.block('latest');
    expect(latest.transactions).toEqual([hash]);
    expect(BigInt(latest.timestamp)).toBe(GENESIS + 2n);
  });

  it('a block comes every block time, empty ones too', async () => {
    await using chain = await startChain(options);
    await chain.clock.advance(9_000);
    expect(BigInt(await chain.call('eth_blockNumber'))).toBe(4n);
  });
});
