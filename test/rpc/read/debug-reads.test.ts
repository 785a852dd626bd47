import { afterAll, beforeAll, expect, test } from 'vitest';
import { ALICE, startNode, type TestNode } from '../dev/node.ts';
import { initOf } from '../otterscan/programs.ts';

/** PUSH1 7, PUSH0, SSTORE */
const SETTER = '60075f55';

let node: TestNode;
let contract: string;
let setting: string;

beforeAll(async () => {
  // Block 1 has the contract, block 2 three transactions, block 3 none.
  node = await startNode({ noMining: true });
  const [from, other] = node.accounts;
  const created = await node.rpc('eth_sendTransaction', { from, data: initOf(SETTER), gas: '0x7a120' });
  await node.rpc('evm_mine');
  contract = (await node.rpc('eth_getTransactionReceipt', created)).contractAddress;
  await node.transfer('0x1');
  await node.transfer('0x2');
  setting = await node.rpc('eth_sendTransaction', { from: other, to: contract, gas: '0x7a120' });
  await node.rpc('evm_mine');
  await node.rpc('evm_mine');
});
afterAll(() => node.close());

test('debug_accountInfoAt is an account after the transaction at an index', async () => {
  const at = (block: unknown, index: unknown, account = ALICE) =>
    node.rpc('debug_accountInfoAt', block, index, account);
  const { hash, transactions } = await node.block('0x2');
  const position = (of: string) => transactions.indexOf(of);
  const first = transactions.indexOf(setting) === 0 ? 1 : 0;
  expect((await at('0x2', `0x${first}`)).balance).toBe('0x1');
  expect(await at('0x2', 2)).toEqual({ balance: '0x3', nonce: '0x0', code: '0x' });
  expect(await at(2, '0x2')).toEqual(await at(hash, '0x2'));
  expect(await at({ blockHash: hash }, '0x2')).toEqual(await node.rpc('eth_getAccountInfo', ALICE, '0x2'));
  expect((await at('0x2', position(setting), node.accounts[1])).nonce).toBe('0x1');
  expect((await at('0x2', 0, contract)).code).toBe(`0x${SETTER}`);
  expect(await at('0x2', 0, `0x${'99'.repeat(20)}`)).toEqual({ balance: '0x0', nonce: '0x0', code: '0x' });
});

test('debug_accountInfoAt refuses indexes and blocks that are not there', async () => {
  expect(await node.codeOf('debug_accountInfoAt', '0x2', '0x3', ALICE)).toBe(-32000);
  expect(await node.codeOf('debug_accountInfoAt', '0x3', '0x0', ALICE)).toBe(-32000);
  expect(await node.codeOf('debug_accountInfoAt', '0x0', '0x0', ALICE)).toBe(-32000);
  expect(await node.codeOf('debug_accountInfoAt', '0x99', '0x0', ALICE)).toBe(-32000);
  expect(await node.codeOf('debug_accountInfoAt', '0x2', '0x0')).toBe(-32602);
});

test('debug_accountInfoAt and debug_getRawTransactions look at the pending block too', async () => {
  const hash = await node.transfer('0x10');
  const raws = await node.rpc('debug_getRawTransactions', 'pending');
  expect(raws).toEqual([await node.rpc('debug_getRawTransaction', hash)]);
  expect((await node.rpc('debug_accountInfoAt', 'pending', 0, ALICE)).balance).toBe('0x13');
  await node.rpc('anvil_dropTransaction', hash);
});

test('debug_getRawTransactions has the bytes of all transactions of a block, in order', async () => {
  const { hash, transactions } = await node.block('0x2');
  const raws = await node.rpc('debug_getRawTransactions', '0x2');
  expect(raws).toHaveLength(3);
  for (const [i, raw] of raws.entries())
    expect(raw).toBe(await node.rpc('debug_getRawTransaction', transactions[i]));
  expect(await node.rpc('debug_getRawTransactions', hash)).toEqual(raws);
  expect(await node.rpc('debug_getRawTransactions', '0x3')).toEqual([]);
  expect(await node.codeOf('debug_getRawTransactions', '0x99')).toBe(-32000);
});

test('debug_getModifiedAccounts tell which accounts changed, in one block or between two', async () => {
  const modified = (...range: unknown[]) => node.rpc('debug_getModifiedAccountsByNumber', ...range);
  const inTwo = await modified(2);
  for (const account of [node.accounts[0], node.accounts[1], ALICE, contract])
    expect(inTwo).toContain(account);
  expect(inTwo).not.toContain(node.accounts[2]);
  expect(await modified('0x1', '0x2')).toEqual(inTwo);
  expect(await modified('0x1', 'latest')).toEqual(expect.arrayContaining(inTwo));
  expect(await modified('0x3')).not.toContain(ALICE);
  const [one, two] = [(await node.block('0x1')).hash, (await node.block('0x2')).hash];
  expect(await node.rpc('debug_getModifiedAccountsByHash', two)).toEqual(inTwo);
  expect(await node.rpc('debug_getModifiedAccountsByHash', one, two)).toEqual(inTwo);
});

test('debug_getModifiedAccounts refuse empty ranges, blocks that are not there and the genesis block alone', async () => {
  const codeOf = (...range: unknown[]) => node.codeOf('debug_getModifiedAccountsByNumber', ...range);
  expect(await codeOf('0x2', '0x2')).toBe(-32000);
  expect(await codeOf('0x2', '0x1')).toBe(-32000);
  expect(await codeOf('0x99')).toBe(-32000);
  expect(await codeOf('0x1', '0x99')).toBe(-32000);
  expect(await codeOf('0x0')).toBe(-32000);
  expect(await codeOf()).toBe(-32602);
  expect(await node.codeOf('debug_getModifiedAccountsByHash', `0x${'12'.repeat(32)}`)).toBe(-32000);
});

test('anvil_getLastBlockWallTime is when the newest block became the head, whatever its timestamp', async () => {
  const before = await node.rpc('anvil_getLastBlockWallTime');
  await node.rpc('evm_increaseTime', 1_000_000);
  await node.rpc('evm_mine');
  const after = await node.rpc('anvil_getLastBlockWallTime');
  expect(after).toBeGreaterThanOrEqual(before);
  expect(after - before).toBeLessThan(100_000_000);
  expect(await node.rpc('anvil_getLastBlockWallTime')).toBe(after);
});

test('eth_signRawTransaction is for the Tempo network', async () => {
  expect(await node.codeOf('eth_signRawTransaction', '0x76')).toBe(-32603);
  expect(await node.codeOf('eth_signRawTransaction')).toBe(-32602);
});
