import { bytesToHex, hexToBytes } from '@ethereumjs/util';
import { describe, expect, it } from 'vitest';
import type { DevnetOptions } from '../../../src/options/options.ts';
import { BEACON_ROOTS, BLOCK_HASHES } from '../../../src/state/genesis-code.ts';
import { keccak256 } from '../../../src/state/keccak.ts';
import { GENESIS, startChain, type TestChain } from '../start-chain.ts';

const hex = (value: number | bigint) => `0x${value.toString(16)}`;
const word = (value: number | bigint) => `0x${value.toString(16).padStart(64, '0')}`;
const COUNT = 3000;

const MODES: readonly (readonly [string, DevnetOptions])[] = [
  ['automine', { automine: true }],
  ['manual', { noMining: true }],
  ['interval with flashblocks', {}],
  ['interval without flashblocks', { flashblockInterval: 0 }],
  ['mixed', { mixedMining: true }],
];

const CALLS: readonly (readonly [string, readonly unknown[]])[] = [
  ['hardhat_mine', [hex(COUNT)]],
  ['anvil_mine', [hex(COUNT)]],
  ['evm_mine', [{ blocks: COUNT }]],
];

const quiet = (options: DevnetOptions) => startChain(options, { onFeed: () => {} });

/** Checks each of some blocks: its number, its parent, and that its hash is that of its header. */
async function expectChained({ call }: TestChain, numbers: Iterable<number>) {
  for (const number of numbers) {
    const block = await call('eth_getBlockByNumber', hex(number), false);
    expect(block.number).toBe(hex(number));
    const raw = hexToBytes(await call('debug_getRawHeader', hex(number)));
    expect(bytesToHex(keccak256(raw))).toBe(block.hash);
    const parent = await call('eth_getBlockByNumber', hex(number - 1), false);
    expect(block.parentHash).toBe(parent.hash);
    expect(BigInt(block.timestamp)).toBe(BigInt(parent.timestamp) + 1n);
    expect(await call('eth_getBlockByHash', block.hash, false)).toEqual(block);
  }
}

describe('many empty blocks in one call', () => {
  it.each(MODES)('are all there: %s', async (_, options) => {
    for (const [method, params] of CALLS) {
      await using chain = await quiet(options);
      const { call } = chain;
      await call(method, ...params);
      expect(await call('eth_blockNumber')).toBe(hex(COUNT));
      await expectChained(chain, [2, 3, 255, 256, 257, 258, 1500, COUNT - 1, COUNT]);
      expect(await call('eth_getLogs', { fromBlock: '0x0', toBlock: 'latest' })).toEqual([]);
      await chain.send();
      if (options.noMining || (!options.automine && !options.mixedMining)) await call('evm_mine');
      expect(await call('eth_blockNumber')).toBe(hex(COUNT + 1));
      const last = await call('eth_getBlockByNumber', hex(COUNT + 1), false);
      expect(last.parentHash).toBe((await call('eth_getBlockByNumber', hex(COUNT), false)).hash);
      expect(last.transactions).toHaveLength(1);
    }
  });

  it('have their hashes in the contract of EIP-2935, their times in that of EIP-4788, as blocks one by one', async () => {
    await using chain = await quiet({ automine: true });
    const { call } = chain;
    await call('hardhat_mine', hex(COUNT), hex(7));
    await call('evm_mine');
    for (const number of [1, 2, 700, COUNT - 1, COUNT]) {
      const { hash, timestamp } = await call('eth_getBlockByNumber', hex(number), false);
      expect(await call('eth_getStorageAt', BLOCK_HASHES.address, word(number % 8191))).toBe(hash);
      expect(await call('eth_getStorageAt', BEACON_ROOTS.address, word(BigInt(timestamp) % 8191n))).toBe(
        word(BigInt(timestamp)),
      );
    }
    expect(BigInt((await call('eth_getBlockByNumber', hex(COUNT), false)).timestamp)).toBe(
      GENESIS + 1n + BigInt(COUNT - 1) * 7n,
    );
  });

  it('are fast', async () => {
    await using chain = await quiet({ automine: true });
    const t = performance.now();
    await chain.call('hardhat_mine', hex(100_000));
    const t2 = performance.now();
    await chain.send();
    console.log('100000', t2 - t, 'next', performance.now() - t2);
    const t3 = performance.now();
    await chain.call('hardhat_mine', hex(1_000_000));
    console.log('1000000', performance.now() - t3, process.memoryUsage());
  });
});
