import { Address, hexToBytes } from '@ethereumjs/util';
import { describe, expect, it } from 'vitest';
import { codeOf } from '../wire.ts';
import { GENESIS, GWEI, startChain } from './start-chain.ts';

const twoSeconds = { blockTime: 2, flashblockInterval: 200 };
const COINBASE = '0x00000000000000000000000000000000000000c0';

describe('settings of the next block', () => {
  it('apply to the open block while it is empty: it is begun anew at index 0', async () => {
    await using chain = await startChain(twoSeconds);
    await chain.clock.advance(400);
    const randao = new Uint8Array(32).fill(7);
    await chain.sequencer.setNext('outside', {
      timestamp: GENESIS + 50n,
      baseFeePerGas: 5n,
      prevRandao: randao,
    });
    await chain.sequencer.configure('outside', {
      coinbase: new Address(hexToBytes(COINBASE)),
      gasLimit: 12_000_000n,
    });
    expect(chain.flashblocks().map(({ payload, index }) => `${payload}/${index}`)).toEqual([
      '1/0',
      '1/1',
      '1/2',
      '2/0',
      '3/0',
    ]);
    const pending = await chain.block('pending');
    expect(pending).toMatchObject({
      number: '0x1',
      timestamp: `0x${(GENESIS + 50n).toString(16)}`,
      baseFeePerGas: '0x5',
      mixHash: `0x${'07'.repeat(32)}`,
      miner: COINBASE,
      gasLimit: `0x${(12_000_000n).toString(16)}`,
    });
    // The seal stays where it was scheduled.
    await chain.clock.advance(1600);
    const sealed = await chain.block('latest');
    expect(sealed).toMatchObject({ number: '0x1', timestamp: pending.timestamp, miner: COINBASE });
    // Once: but for what every block gets.
    expect(await chain.block('pending')).toMatchObject({ miner: COINBASE });
    expect((await chain.block('pending')).mixHash).not.toBe(pending.mixHash);
  });

  it('apply to the block after while the open one has transactions', async () => {
    await using chain = await startChain(twoSeconds);
    await chain.send();
    await chain.clock.advance(200);
    const before = await chain.block('pending');
    await chain.sequencer.setNext('outside', { timestamp: GENESIS + 50n, baseFeePerGas: 3n * GWEI });
    expect(await chain.block('pending')).toEqual(before);
    await chain.clock.advance(1800);
    expect(await chain.block('latest')).toMatchObject({ timestamp: before.timestamp });
    expect(await chain.block('pending')).toMatchObject({
      timestamp: `0x${(GENESIS + 50n).toString(16)}`,
      baseFeePerGas: `0x${(3n * GWEI).toString(16)}`,
    });
    await chain.clock.advance(2000);
    // Time flows on from there.
    expect(BigInt((await chain.block('pending')).timestamp)).toBe(GENESIS + 52n);
  });

  it('a timestamp that is not after the parent is refused', async () => {
    await using chain = await startChain(twoSeconds);
    expect(await codeOf(Promise.resolve(chain.sequencer.setNext('outside', { timestamp: GENESIS })))).toBe(
      -32602,
    );
    await chain.sequencer.setNext('outside', { timestamp: GENESIS + 1n });
  });

  it('equal timestamps are taken with allowEqualTimestamps', async () => {
    await using chain = await startChain({ ...twoSeconds, allowEqualTimestamps: true });
    await chain.sequencer.setNext('outside', { timestamp: GENESIS });
    expect(
      await codeOf(Promise.resolve(chain.sequencer.setNext('outside', { timestamp: GENESIS - 1n }))),
    ).toBe(-32602);
  });

  it('blocks under a second share timestamps, which follow the clock', async () => {
    await using chain = await startChain({ blockTime: 0.4, flashblockInterval: 100 });
    await chain.clock.advance(2000);
    const times = await Promise.all(['0x1', '0x2', '0x3', '0x4', '0x5'].map((tag) => chain.block(tag)));
    expect(times.map(({ timestamp }) => BigInt(timestamp) - GENESIS)).toEqual([0n, 0n, 1n, 1n, 2n]);
  });

  it('in manual mode pending shows them at once', async () => {
    await using chain = await startChain({ noMining: true });
    await chain.block('pending');
    await chain.sequencer.setNext('outside', { timestamp: GENESIS + 77n });
    expect(BigInt((await chain.block('pending')).timestamp)).toBe(GENESIS + 77n);
    await chain.call('evm_mine');
    expect(BigInt((await chain.block('latest')).timestamp)).toBe(GENESIS + 77n);
  });

  it('prevRandao differs from block to block, and is the same in every run', async () => {
    const run = async () => {
      await using chain = await startChain(twoSeconds);
      await chain.clock.advance(6000);
      const blocks = await Promise.all(['0x1', '0x2', '0x3'].map((tag) => chain.block(tag)));
      return blocks.map(({ hash, mixHash }) => ({ hash, mixHash }));
    };
    const [first, second] = [await run(), await run()];
    expect(first).toEqual(second);
    expect(new Set(first.map(({ mixHash }) => mixHash)).size).toBe(3);
  });
});
