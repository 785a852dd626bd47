import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bytesToHex, hexToBytes } from '@ethereumjs/util';
import { describe, expect, it } from 'vitest';
import type { DevnetOptions } from '../../../src/options/options.ts';
import { replayRecording } from '../../../src/replay/replay-recording.ts';
import {
  BEACON_ROOTS,
  BLOCK_HASHES,
  CONSOLIDATION_REQUESTS,
  WITHDRAWAL_REQUESTS,
} from '../../../src/state/genesis-code.ts';
import { keccak256 } from '../../../src/state/keccak.ts';
import { GENESIS, startChain, type TestChain } from '../start-chain.ts';

const hex = (value: number | bigint) => `0x${value.toString(16)}`;
const word = (value: number | bigint) => `0x${value.toString(16).padStart(64, '0')}`;
/** More than are made. */
const COUNT = 1_300;

const MODES: readonly (readonly [string, DevnetOptions])[] = [
  ['automine', { automine: true }],
  ['manual', { noMining: true }],
  ['interval with flashblocks', {}],
  ['interval without flashblocks', { flashblockInterval: 0 }],
  ['mixed', { mixedMining: true }],
];

const CALLS: readonly (readonly [string, ...unknown[]])[] = [
  ['hardhat_mine', hex(COUNT)],
  ['anvil_mine', hex(COUNT)],
  ['evm_mine', { blocks: COUNT }],
  ['evm_mine_detailed', { blocks: COUNT }],
];

const SYSTEM = [BEACON_ROOTS, BLOCK_HASHES, WITHDRAWAL_REQUESTS, CONSOLIDATION_REQUESTS];

/** A genesis file of a chain whose forks come while blocks are mined. */
const FORKING = {
  config: {
    chainId: 9,
    terminalTotalDifficulty: 0,
    shanghaiTime: 0,
    cancunTime: Number(GENESIS) + 1_500,
    pragueTime: Number(GENESIS) + 4_000,
  },
  alloc: Object.fromEntries(
    SYSTEM.map(({ address, code }) => [address, { balance: '0x0', nonce: '0x1', code }]),
  ),
  timestamp: hex(GENESIS),
  gasLimit: '0x1c9c380',
  difficulty: '0x0',
};

const EMPTY = { transactions: [], gasUsed: '0x0' };

/** A chain whose stream nobody watches. */
const quiet = (options: DevnetOptions = { automine: true }) => startChain(options, { onFeed: () => {} });
const hashAt = async ({ block }: TestChain, number: number) => (await block(hex(number))).hash as string;

/**
 * The block's number and hash are what its header says, it has the hash of the one before, is found by its own, and proofs at it
 * begin with its state root.
 */
async function expectChained(chain: TestChain, number: number, content: object = EMPTY) {
  const { call, block } = chain;
  const found = await block(hex(number));
  expect(found).toMatchObject({ number: hex(number), ...content });
  const { accountProof } = await call('eth_getProof', BLOCK_HASHES.address, [], hex(number));
  expect(bytesToHex(keccak256(hexToBytes(accountProof[0])))).toBe(found.stateRoot);
  expect(found.parentHash).toBe(await hashAt(chain, number - 1));
  expect(bytesToHex(keccak256(hexToBytes(await call('debug_getRawHeader', hex(number)))))).toBe(found.hash);
  expect(await call('eth_getBlockByHash', found.hash, false)).toEqual(found);
}

/** The contract of EIP-2935 has the hashes of these blocks. */
async function expectHistory(chain: TestChain, numbers: readonly number[]) {
  for (const number of numbers)
    expect(await chain.call('eth_getStorageAt', BLOCK_HASHES.address, word(number % 8191))).toBe(
      await hashAt(chain, number),
    );
}

async function inFolder(task: (dir: string) => Promise<void>) {
  const dir = mkdtempSync(join(tmpdir(), 'devnet-'));
  try {
    await task(dir);
  } finally {
    rmSync(dir, { recursive: true });
  }
}

describe('more than 1,000 empty blocks in one call', () => {
  it.each(MODES)('can all be read: %s', async (_, options) => {
    const heads: string[] = [];
    for (const [method, ...params] of CALLS) {
      await using chain = await quiet(options);
      const { call } = chain;
      await call(method, ...params);
      expect(await call('eth_blockNumber')).toBe(hex(COUNT));
      for (const number of [1, 2, 256, 257, 258, COUNT]) await expectChained(chain, number);
      expect(await call('eth_getLogs', { fromBlock: '0x0', toBlock: 'latest' })).toEqual([]);
      expect(await call('eth_getBlockReceipts', hex(500))).toEqual([]);
      heads.push(await hashAt(chain, COUNT));
      const hash = await chain.send();
      if (!options.automine && !options.mixedMining) await call('evm_mine');
      expect(await chain.receipt(hash)).toMatchObject({ blockNumber: hex(COUNT + 1), status: '0x1' });
      expect((await chain.block(hex(COUNT + 1))).parentHash).toBe(heads.at(-1));
    }
    expect(new Set(heads).size).toBe(1);
  });

  it('have the fields of blocks that are made one by one', async () => {
    await using reserved = await quiet();
    await using made = await quiet();
    await reserved.call('anvil_mine', hex(COUNT), '0x7');
    await made.call('anvil_mine', hex(300), '0x7');
    for (const number of [1, 2, 10, 100, 180, 300]) {
      const { hash, parentHash, stateRoot, ...fields } = await reserved.block(hex(number));
      expect(await made.block(hex(number))).toMatchObject(fields);
    }
    expect((await reserved.block('latest')).timestamp).toBe(hex(GENESIS + BigInt(COUNT) * 7n));
  });

  it('are in the contract of EIP-2935, and their times in that of EIP-4788, with the same hashes in each engine', async () => {
    const heads = new Set<string>();
    await using made = await quiet();
    await made.call('hardhat_mine', hex(900), '0x7');
    await made.call('hardhat_mine', hex(COUNT - 900), '0x7');
    const storageOf = async ({ call }: TestChain) =>
      (await call('eth_getProof', BEACON_ROOTS.address, [], 'latest')).storageHash;
    for (const engine of ['fast', 'ethereumjs', 'shadow'] as const) {
      await using chain = await quiet({ automine: true, engine });
      const { call } = chain;
      await call('hardhat_mine', hex(COUNT), '0x7');
      await expectHistory(chain, [0, 1, 700, COUNT - 1]);
      expect(await storageOf(chain)).toBe(await storageOf(made));
      const { timestamp } = await chain.block(hex(700));
      expect(await call('eth_call', { to: BEACON_ROOTS.address, data: word(BigInt(timestamp)) })).toBe(
        word(0),
      );
      heads.add(await hashAt(chain, COUNT));
      await chain.send();
      await expectHistory(chain, [0, 1, 700, COUNT - 1, COUNT]);
      // BLOCKHASH of the block 256 before: PUSH2 256, NUMBER, SUB, BLOCKHASH, and returned.
      const code = '0x610100430340 5f5260205ff3'.replace(' ', '');
      const last = COUNT + 1;
      expect(await call('eth_call', { data: code }, 'latest')).toBe(await hashAt(chain, last - 256));
    }
    expect(heads.size).toBe(1);
  });

  it.each(['shanghai', 'london', 'istanbul'] as const)(
    'have the hashes of made blocks where the protocol writes nothing: %s',
    async (hardfork) => {
      await using reserved = await quiet({ automine: true, hardfork });
      await using made = await quiet({ automine: true, hardfork });
      await reserved.call('hardhat_mine', hex(COUNT), '0x5');
      // Up to 1,000 blocks in a call are made.
      await made.call('hardhat_mine', hex(900), '0x5');
      await made.call('hardhat_mine', hex(COUNT - 900), '0x5');
      expect(await reserved.block('latest')).toEqual(await made.block('latest'));
      expect(await reserved.block(hex(77))).toEqual(await made.block(hex(77)));
    },
  );

  it('take what waits into the first, and go on beside what can not be included', async () => {
    await using chain = await quiet({ noMining: true });
    const first = await chain.send();
    const gap = await chain.send({ nonce: 5 });
    await chain.call('hardhat_mine', hex(COUNT));
    expect(await chain.call('eth_blockNumber')).toBe(hex(COUNT));
    expect(await chain.receipt(first)).toMatchObject({ blockNumber: '0x1' });
    expect(await chain.receipt(gap)).toBeNull();
    await expectChained(chain, 900);
  });

  it('can be taken back in part: the chain goes on as if there had been no more', async () => {
    await using chain = await quiet();
    const { call } = chain;
    const snapshot = await call('evm_snapshot');
    await call('hardhat_mine', hex(COUNT));
    const before = await hashAt(chain, 900);
    await call('anvil_rollback', COUNT - 900);
    expect(await call('eth_blockNumber')).toBe(hex(900));
    expect(await hashAt(chain, 900)).toBe(before);
    expect(await chain.block(hex(901))).toBeNull();
    await chain.send();
    await expectHistory(chain, [0, 1, 500, 899, 900]);
    expect((await chain.block(hex(901))).parentHash).toBe(before);
    await call('hardhat_mine', hex(COUNT));
    await expectChained(chain, 902);
    await expectChained(chain, 901 + COUNT);
    expect((await chain.block(hex(901))).transactions).toHaveLength(1);
    await call('evm_revert', snapshot);
    expect(await call('eth_blockNumber')).toBe('0x0');
    expect(await call('eth_getBlockByHash', before, false)).toBeNull();
  });

  it('are there after a restart, in a directory that has no records of them', () =>
    inFolder(async (dir) => {
      const options = { automine: true, dataDir: join(dir, 'data') };
      let known: unknown[];
      {
        await using chain = await quiet(options);
        await chain.call('hardhat_mine', hex(COUNT));
        await chain.call('anvil_rollback', 100);
        await chain.send();
        known = await Promise.all([1, 500, 1199, 1200, 1201].map((number) => chain.block(hex(number))));
      }
      await using chain = await quiet(options);
      expect(await Promise.all([1, 500, 1199, 1200, 1201].map((number) => chain.block(hex(number))))).toEqual(
        known,
      );
      await expectChained(chain, 700);
      await expectHistory(chain, [0, 700, 1200]);
      await chain.call('hardhat_mine', hex(COUNT));
      await expectChained(chain, 1201 + COUNT);
    }));

  it('are kept as far as history is', async () => {
    await using chain = await quiet({ automine: true, pruneHistory: 200 });
    await chain.send();
    await chain.call('hardhat_mine', hex(COUNT));
    for (let i = 0; i < 30; i++) await chain.send();
    await expectChained(chain, COUNT - 50);
    expect(await chain.call('eth_getBalance', chain.accounts[1], hex(COUNT - 50))).toBe(
      hex(10_000n * 10n ** 18n),
    );
    expect(await chain.block(hex(500))).toBeNull();
  });

  it('are one line of a recording, which replays to the same hashes', () =>
    inFolder(async (dir) => {
      const record = join(dir, 'recording.jsonl');
      for (const [, options] of MODES) {
        rmSync(record, { force: true });
        let head: string;
        {
          await using chain = await quiet({ ...options, record });
          await chain.send();
          await chain.call('hardhat_mine', hex(COUNT), '0x2');
          await chain.send();
          await chain.call('evm_mine');
          head = (await chain.block('latest')).hash;
        }
        expect(await replayRecording(record)).toMatchObject({ pass: true, lastblockhash: head });
      }
    }));

  it('end where another hardfork begins, whose first block is made', async () => {
    await using chain = await quiet({ automine: true, init: FORKING });
    await chain.call('hardhat_mine', hex(8_000));
    expect(await chain.call('eth_blockNumber')).toBe(hex(8_000));
    for (const at of [1_499, 1_500, 1_501, 3_999, 4_000, 4_001, 8_000]) await expectChained(chain, at);
    expect(await chain.block(hex(1_499))).not.toHaveProperty('blobGasUsed');
    expect(await chain.block(hex(1_500))).toHaveProperty('blobGasUsed', '0x0');
    expect(await chain.block(hex(3_999))).not.toHaveProperty('requestsHash');
    expect(await chain.block(hex(4_000))).toHaveProperty('requestsHash');
    await expectHistory(chain, [4_000, 7_999]);
  });

  it.each(['base', 'optimism'] as const)('are there with the preset %s', async (preset) => {
    await using chain = await quiet({ preset });
    await chain.call('hardhat_mine', hex(COUNT));
    expect(await chain.call('eth_blockNumber')).toBe(hex(COUNT));
    await expectChained(chain, COUNT - 1);
    // The last one is made: it has the deposit of L1 attributes.
    await expectChained(chain, COUNT, { transactions: [expect.any(String)] });
    const hash = await chain.send();
    await chain.call('evm_mine');
    expect(await chain.receipt(hash)).toMatchObject({ blockNumber: hex(COUNT + 1), status: '0x1' });
  });

  it('are a head of 1,000,000 in seconds, and BLOCKHASH finds the last ones', async () => {
    await using chain = await quiet();
    await chain.call('hardhat_mine', '0xf4240');
    await expectChained(chain, 1_000_000);
    await expectChained(chain, 123_456);
  });
});

describe('a call that ends in an error leaves nothing', () => {
  it('where the time of one of its blocks is too high', async () => {
    for (const [, options] of MODES) {
      await using chain = await quiet(options);
      const { call } = chain;
      const latest = await chain.block('latest');
      const pending = await chain.block('pending');
      // The first block takes chain time along, from which the next ones count.
      await call('evm_increaseTime', 9_000_000_000_000);
      await expect(call('anvil_mine', '0x5', hex(3_000_000_000))).rejects.toMatchObject({ code: -32602 });
      expect(await call('eth_blockNumber')).toBe('0x0');
      expect(await chain.block('latest')).toEqual(latest);
      await call('evm_increaseTime', 0);
      expect((await chain.block('pending')).number).toBe(pending.number);
      await call('evm_mine');
      expect(await call('eth_blockNumber')).toBe('0x1');
    }
  });

  it('where its time is over, and its recording replays', () =>
    inFolder(async (dir) => {
      const record = join(dir, 'recording.jsonl');
      for (const options of [{ automine: true }, {}]) {
        rmSync(record, { force: true });
        let head: string;
        {
          await using chain = await quiet({ ...options, record, rpcTimeout: 50 });
          const { call, node } = chain;
          // 200,000 blocks take longer than that on any machine.
          await expect(call('hardhat_mine', '0x30d40')).rejects.toMatchObject({ code: -32000 });
          // Taken back when the error is answered.
          expect(await call('eth_blockNumber')).toBe('0x0');
          expect(node.chain.latest.header.number).toBe(0n);
          // On a busy machine that may take longer, too, and then leaves nothing.
          while (node.chain.latest.header.number === 0n) await call('evm_mine').catch(() => {});
          await node.sequencer.settled();
          expect(node.chain.latest.header.number).toBe(1n);
          head = bytesToHex(node.chain.latest.hash);
        }
        expect(await replayRecording(record)).toMatchObject({ pass: true, lastblockhash: head });
      }
    }));
});
