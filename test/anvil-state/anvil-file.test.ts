import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { createDevnet, type DevnetOptions } from '../../src/index.ts';
import { type Call, callsOf, codeOf, type Wire } from '../wire.ts';

/** What anvil 1.7.1 dumped, and what it answered; see scripts/record-anvil-state.mjs. */
const folder = resolve(import.meta.dirname, '../../fixtures/anvil');
const { contractAddress, logs, blocks } = JSON.parse(readFileSync(join(folder, 'answers.json'), 'utf8'));
const STATE = join(folder, 'state.json.gz');
const newest = blocks.length - 1;

let dir: string;
beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'devnet-anvil-'));
});
afterAll(() => rmSync(dir, { recursive: true }));
let close = async () => {};
afterEach(() => close());

async function start(options: DevnetOptions): Promise<Call> {
  const node = await createDevnet({ automine: true, ...options });
  close = () => node.close();
  return callsOf(node);
}

/** anvil's dump with a change, as a file. */
function changed(change: (dump: Wire) => void): string {
  const dump = JSON.parse(gunzipSync(readFileSync(STATE)).toString());
  change(dump);
  const file = join(dir, 'changed.json');
  writeFileSync(file, JSON.stringify(dump));
  return file;
}

/** Without what only one of the two says. */
function alike(value: Wire): Wire {
  if (Array.isArray(value)) return value.map(alike);
  if (typeof value !== 'object' || value === null) return value;
  // anvil has a total difficulty, another size, a time in receipts, and a blob gas price in those without blobs.
  const { totalDifficulty, size, blockTimestamp, blobGasPrice, ...rest } = value;
  return Object.fromEntries(Object.entries(rest).map(([name, item]) => [name, alike(item)]));
}

describe("a file of anvil's", () => {
  it('gives its blocks, transactions, receipts and logs with the same hashes', async () => {
    const rpc = await start({ loadState: STATE });
    expect(await rpc('eth_blockNumber')).toBe(blocks[newest].block.number);
    for (const { block, receipts } of blocks) {
      expect(alike(await rpc('eth_getBlockByNumber', block.number, true))).toEqual(alike(block));
      expect(alike(await rpc('eth_getBlockReceipts', block.number))).toEqual(alike(receipts));
      for (const { hash } of block.transactions)
        expect(await rpc('eth_getTransactionByHash', hash)).toMatchObject({ hash, blockHash: block.hash });
    }
    expect(alike(await rpc('eth_getLogs', { fromBlock: '0x0', toBlock: 'latest' }))).toEqual(alike(logs));
  });

  it('gives the newest state; older ones are not known, save the one that it begins with', async () => {
    const rpc = await start({ loadState: STATE });
    for (const [address, balance] of Object.entries(blocks[newest].balances))
      expect(await rpc('eth_getBalance', address, 'latest')).toBe(balance);
    expect(await rpc('eth_getStorageAt', contractAddress, '0x0', 'latest')).toBe(blocks[newest].stored);
    for (const tag of ['0x1', '0x5']) {
      expect(await codeOf(rpc('eth_getBalance', contractAddress, tag))).toBe(-32000);
      expect(await codeOf(rpc('eth_call', { to: contractAddress }, tag))).toBe(-32000);
    }
    const [from] = await rpc('eth_accounts');
    expect(await rpc('eth_getBalance', from, 'earliest')).toBe('0x21e19e0c9bab2400000');
  });

  it('gives all states where it has them', async () => {
    const rpc = await start({ loadState: join(folder, 'history.json.gz') });
    for (const { block, balances, stored } of blocks) {
      for (const [address, balance] of Object.entries(balances))
        expect(await rpc('eth_getBalance', address, block.number), block.number).toBe(balance);
      expect(await rpc('eth_getStorageAt', contractAddress, '0x0', block.number)).toBe(stored);
    }
  });

  it('goes on: the next block follows its newest one, in time too', async () => {
    const rpc = await start({ loadState: STATE });
    const [from] = await rpc('eth_accounts');
    const hash = await rpc('eth_sendTransaction', { from, to: contractAddress });
    const { block } = blocks[newest];
    expect(await rpc('eth_getTransactionReceipt', hash)).toMatchObject({
      status: '0x1',
      blockNumber: `0x${(newest + 1).toString(16)}`,
      logs: [{ address: contractAddress }],
    });
    expect(await rpc('eth_getBlockByNumber', 'latest', false)).toMatchObject({ parentHash: block.hash });
    await rpc('anvil_reset');
    expect(await rpc('eth_getBlockByNumber', 'latest', false)).toMatchObject({ hash: blocks[0].block.hash });
    expect(await rpc('eth_getBalance', from, 'latest')).toBe('0x21e19e0c9bab2400000');
    expect(await rpc('eth_getCode', contractAddress, 'latest')).toBe('0x');
    await rpc('evm_mine');
    expect(await rpc('eth_getBalance', from, '0x1')).toBe('0x21e19e0c9bab2400000');
  });

  it('dev accounts that it lacks are funded', async () => {
    const rpc = await start({ loadState: STATE, accounts: 12 });
    const accounts = await rpc('eth_accounts');
    expect(await rpc('eth_getBalance', accounts[11], 'latest')).toBe('0x21e19e0c9bab2400000');
    expect(await rpc('eth_getBalance', accounts[0], 'latest')).not.toBe('0x21e19e0c9bab2400000');
  });

  it('of an older anvil, without the sender beside a transaction, is read too', async () => {
    const file = changed((dump) => {
      for (const block of dump.blocks)
        block.transactions = block.transactions.map((item: Wire) =>
          item.impersonated_sender ? item : item.transaction,
        );
    });
    const rpc = await start({ loadState: file });
    expect(await rpc('eth_getBlockByNumber', 'latest', false)).toMatchObject({
      hash: blocks[newest].block.hash,
    });
    expect(await rpc('eth_getBlockByNumber', 'earliest', false)).toMatchObject({ number: '0x0' });
  });

  it('without blocks gives its accounts and its number', async () => {
    const file = changed((dump) => {
      dump.blocks = [];
      dump.transactions = [];
      dump.block.timestamp = '0xf0000000';
    });
    const rpc = await start({ loadState: file });
    expect(await rpc('eth_blockNumber')).toBe(blocks[newest].block.number);
    expect(await rpc('eth_getStorageAt', contractAddress, '0x0', 'latest')).toBe(blocks[newest].stored);
    await rpc('evm_mine');
    const { number, timestamp } = await rpc('eth_getBlockByNumber', 'latest', false);
    expect(Number(number)).toBe(newest + 1);
    expect(Number(timestamp)).toBeGreaterThan(0xf0000000);
  });

  it('whose blocks are not as their headers say gives its accounts, and says so', async () => {
    const file = changed(({ transactions }) => {
      transactions[0].receipt.cumulativeGasUsed = '0x1';
    });
    const warned = vi.spyOn(process, 'emitWarning').mockImplementation(() => {});
    const rpc = await start({ loadState: file });
    expect(await rpc('eth_getStorageAt', contractAddress, '0x0', 'latest')).toBe(blocks[newest].stored);
    expect(await rpc('eth_getBlockByNumber', 'earliest', false)).toMatchObject({
      number: blocks[newest].block.number,
    });
    expect(warned.mock.calls.map(([warning]) => String(warning))).toEqual([
      expect.stringMatching(/changed\.json only the accounts .* block \d+: receiptsRoot/),
    ]);
    warned.mockRestore();
  });
});
