import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { resolveOptions } from '../../src/options/options.ts';
import { exportChain } from '../../src/replay/export-chain.ts';
import { BLOCK_HASHES } from '../../src/state/genesis-code.ts';
import { agree, cleanAfterEachTest, follower, leader } from '../chain-log/nodes.ts';
import { HAS_REDIS, useRedis } from '../redis-server.ts';
import type { Call } from '../wire.ts';
import { chain, closeChainsAfterEachTest, forkOf, hex, original } from './fork/chains.ts';

const redis = useRedis();
cleanAfterEachTest(redis);
closeChainsAfterEachTest();

/** More than are made. */
const COUNT = 1_100;
const BOB = `0x${'b0'.repeat(20)}`;
const word = (value: number) => `0x${value.toString(16).padStart(64, '0')}`;

let dir = '';
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'devnet-'));
});
afterEach(() => rmSync(dir, { recursive: true }));

const blockAt = (call: Call, number: number) => call('eth_getBlockByNumber', hex(number), true);

/** The blocks have the hashes of the ones before, are found by their own, and the contract of EIP-2935 knows those before the head. */
async function expectChained({ call }: { call: Call }, ...numbers: number[]) {
  for (const number of numbers) {
    const block = await blockAt(call, number);
    const parent = await blockAt(call, number - 1);
    expect(block).toMatchObject({ number: hex(number), parentHash: parent.hash });
    expect(await call('eth_getBlockByHash', block.hash, true)).toEqual(block);
    expect(await call('eth_getStorageAt', BLOCK_HASHES.address, word((number - 1) % 8191))).toBe(parent.hash);
  }
}

describe.skipIf(!HAS_REDIS)('on a chain that several nodes share', () => {
  it('followers have them, early and late ones', async () => {
    const live = await leader(redis.url);
    const early = await follower(redis.url);
    const [from] = await live.call('eth_accounts');
    await live.call('hardhat_mine', hex(COUNT), '0x3');
    await live.call('eth_sendTransaction', { from, to: BOB, value: '0x1' });
    await live.call('evm_mine');
    const late = await follower(redis.url);
    await agree(live, early, late);
    for (const number of [1, 500, COUNT]) {
      const block = await blockAt(live.call, number);
      for (const { call } of [early, late]) expect(await blockAt(call, number)).toEqual(block);
    }
    await expectChained(late, 700, COUNT + 1);
  });
});

it('a forked chain goes on with them', async () => {
  const there = await original();
  const fork = await forkOf(there);
  await fork.call('hardhat_mine', hex(COUNT));
  await expectChained(fork, 4, 5, 600, 3 + COUNT);
  const hash = await fork.send({ to: BOB, value: '0x1' });
  expect(await fork.receipt(hash)).toMatchObject({ blockNumber: hex(4 + COUNT), status: '0x1' });
  expect(
    await fork.call('eth_getLogs', { address: there.token, fromBlock: '0x1', toBlock: 'latest' }),
  ).toHaveLength(3);
  // BLOCKHASH of the block 200 before: PUSH1 200, NUMBER, SUB, BLOCKHASH, and returned.
  const found = await fork.call('eth_call', { data: '0x60c84303405f5260205ff3' }, 'latest');
  expect(found).toBe((await fork.block(hex(4 + COUNT - 200))).hash);
  await expectChained(fork, 4 + COUNT);
});

it('a state file has them', async () => {
  const one = await chain({ timestamp: 1_700_000_000 });
  await one.send({ to: BOB, value: '0x1' });
  await one.call('anvil_mine', hex(COUNT), '0x2');
  await one.send({ to: BOB, value: '0x1' });
  const file = join(dir, 'state.json');
  const dumped = await one.call('anvil_dumpState');
  writeFileSync(file, Buffer.from(dumped.slice(2), 'hex'));
  const other = await chain({ loadState: file });
  for (const number of [1, 2, 700, COUNT + 2])
    expect((await other.block(hex(number))).hash).toBe((await one.block(hex(number))).hash);
  expect(await other.call('eth_getBalance', BOB)).toBe('0x2');
  await other.send({ to: BOB, value: '0x1' });
  await expectChained(other, COUNT + 3);
});

it('a killed process leaves all of them or none', async () => {
  const dataDir = join(dir, 'data');
  const live = await chain({ dataDir });
  await live.send({ to: BOB, value: '0x1' });
  const copyOf = async (name: string) => {
    // What a process leaves that is killed now.
    const copy = join(dir, name);
    cpSync(dataDir, copy, { recursive: true });
    return chain({ dataDir: copy });
  };
  const mining = live.call('hardhat_mine', hex(30_000));
  await setImmediate();
  const during = await copyOf('during');
  expect(await during.call('eth_blockNumber')).toBe('0x1');
  await during.node.close();
  await mining;
  const after = await copyOf('after');
  expect(await after.block('latest')).toEqual(await live.block('latest'));
  await expectChained(after, 30_001, 29_000);
  expect((await after.block(hex(1_234))).hash).toBe((await live.block(hex(1_234))).hash);
  for (const { node } of [after, live]) await node.close();
});

it('an export stops at the first of them', async () => {
  const dataDir = join(dir, 'data');
  const one = await chain({ dataDir });
  await one.send({ to: BOB, value: '0x1' });
  await one.call('hardhat_mine', hex(COUNT));
  await one.node.close();
  const config = resolveOptions({ dataDir });
  await expect(exportChain(config, join(dir, 'out'), { version: 'test' })).rejects.toMatchObject({
    number: 2n,
  });
});

it('a reorg replaces them by blocks with the same times, and a snapshot goes back over them', async () => {
  const one = await chain({ timestamp: 1_700_000_000 });
  const snapshot = await one.call('evm_snapshot');
  await one.call('anvil_mine', hex(COUNT), '0x2');
  const before = await Promise.all([COUNT - 30, COUNT - 29, COUNT].map((number) => one.block(hex(number))));
  await one.call('anvil_reorg', 30);
  const after = await Promise.all([COUNT - 30, COUNT - 29, COUNT].map((number) => one.block(hex(number))));
  expect(after[0]).toEqual(before[0]);
  for (const i of [1, 2]) {
    expect(after[i].timestamp).toBe(before[i].timestamp);
    expect(after[i].hash).not.toBe(before[i].hash);
  }
  await expectChained(one, COUNT - 28, COUNT, COUNT - 500);
  // The removed ones aren't found any more.
  expect(await one.call('eth_getBlockByHash', before[1].hash, false)).toBeNull();
  expect(await one.call('evm_revert', snapshot)).toBe(true);
  expect(await one.call('eth_blockNumber')).toBe('0x0');
  await one.call('anvil_mine', hex(COUNT), '0x2');
  expect((await one.block('latest')).hash).toBe(before[2].hash);
});
