import { getContractAddress } from 'viem';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { MODES, startNode, type TestNode } from '../dev/node.ts';
import { BOB, BUSY, create2Address, DEAD, IDENTITY, initOf, REVERTING } from './programs.ts';

const NOWHERE = `0x${'ab'.repeat(32)}`;

let node: TestNode;
let alice: string;
let contract: `0x${string}`;
let created: string;
let busy: string;
const send = (fields: object): Promise<string> =>
  node.rpc('eth_sendTransaction', { from: alice, gas: '0x7a120', ...fields });
/** The contract that the busy one made with its n-th nonce. */
const child = (nonce: bigint) => getContractAddress({ from: contract, nonce }).toLowerCase();

beforeAll(async () => {
  node = await startNode();
  alice = node.accounts[0]!;
  created = await send({ data: initOf(BUSY) });
  contract = (await node.rpc('eth_getTransactionReceipt', created)).contractAddress;
  busy = await send({ to: contract, value: '0x64' });
});
afterAll(() => node.close());

test('the level of the methods is that of the newest Otterscan', async () =>
  expect(await node.rpc('ots_getApiLevel')).toBe(8));

describe('internal operations', () => {
  test('are what a transaction led to, in the order in which it happened', async () => {
    const from = contract;
    expect(await node.rpc('ots_getInternalOperations', busy)).toEqual([
      { type: 2, from, to: child(1n), value: '0x0' },
      { type: 3, from, to: create2Address(contract, 5, '0x'), value: '0x0' },
      { type: 0, from, to: DEAD, value: '0x7' },
      { type: 2, from, to: child(3n), value: '0x0' },
      { type: 1, from, to: BOB, value: '0x5d' },
    ]);
  });

  test("aren't the transaction's own call or creation", async () => {
    expect(await node.rpc('ots_getInternalOperations', created)).toEqual([]);
    expect(await node.rpc('ots_getInternalOperations', await node.transfer())).toEqual([]);
  });

  test('of an unknown transaction are refused', async () =>
    expect(await node.codeOf('ots_getInternalOperations', NOWHERE)).toBe(-32000));
});

describe('the trace', () => {
  test('lists calls, creations and self-destructions with their depth', async () => {
    const trace = await node.rpc('ots_traceTransaction', busy);
    expect(trace[0]).toEqual({
      type: 'CALL',
      depth: 0,
      from: alice,
      to: contract,
      value: '0x64',
      input: '0x',
      output: '0x',
    });
    const rows = trace.slice(1).map((entry: Record<string, unknown>) => [entry.type, entry.depth, entry.to]);
    expect(rows).toEqual([
      ['CREATE', 1, child(1n)],
      ['CREATE2', 1, create2Address(contract, 5, '0x')],
      ['CALL', 1, DEAD],
      ['DELEGATECALL', 1, IDENTITY],
      ['CREATE', 1, child(3n)],
      ['SELFDESTRUCT', 1, BOB],
    ]);
  });

  test('of an unknown transaction is empty', async () =>
    expect(await node.rpc('ots_traceTransaction', NOWHERE)).toEqual([]));
});

test('the error is what a transaction reverted with', async () => {
  const reverted = await send({ data: REVERTING });
  const halted = await send({ data: '0xfe' });
  expect(await node.rpc('ots_getTransactionError', reverted)).toBe('0x08c379a0');
  for (const hash of [halted, busy, NOWHERE])
    expect(await node.rpc('ots_getTransactionError', hash)).toBe('0x');
});

describe('the creator of a contract', () => {
  const creatorOf = (address: string) => node.rpc('ots_getContractCreator', address);

  test('is the sender, or the contract that the transaction called', async () => {
    expect(await creatorOf(contract)).toEqual({ hash: created, creator: alice });
    expect(await creatorOf(child(1n))).toEqual({ hash: busy, creator: contract });
    expect(await creatorOf(create2Address(contract, 5, '0x'))).toEqual({ hash: busy, creator: contract });
  });

  test('is nobody for an account, for code of a dev write, of genesis, and for a creation that failed', async () => {
    await node.rpc('anvil_setCode', DEAD, '0x6001');
    for (const address of [
      alice,
      BOB,
      DEAD,
      child(3n),
      '0xca11bde05977b3631167028862be2a173976ca11',
      '0x4e59b44847b379578588920ca78fbf26c0b4956c',
    ])
      expect(await creatorOf(address)).toBeNull();
  });
});

test('code is there from the block on that has it', async () => {
  expect(await node.rpc('ots_hasCode', contract, '0x0')).toBe(false);
  for (const block of ['0x1', 1, 'latest', 'pending'])
    expect(await node.rpc('ots_hasCode', contract, block)).toBe(true);
  expect(await node.rpc('ots_hasCode', alice)).toBe(false);
  expect(await node.codeOf('ots_hasCode', alice, '0x999')).toBe(-32000);
});

test('a transaction is found by its sender and nonce, a waiting one is not', async () => {
  const ask = (nonce: number | string) => node.rpc('ots_getTransactionBySenderAndNonce', alice, nonce);
  expect(await ask(0)).toBe(created);
  expect(await ask('0x1')).toBe(busy);
  const next = Number(await node.rpc('eth_getTransactionCount', alice, 'latest'));
  await node.rpc('evm_setAutomine', false);
  const waiting = await node.transfer();
  expect(await ask(next)).toBeNull();
  await node.rpc('evm_mine');
  expect(await ask(next)).toBe(waiting);
  expect(await ask(next + 1)).toBeNull();
  await node.rpc('evm_setAutomine', true);
});

test('a pre-confirmed transaction is traced, and is found by nonce once it is sealed', async () => {
  const live = await startNode(MODES.interval);
  const hash = await live.transfer('0x5');
  await live.tick();
  expect(await live.rpc('ots_traceTransaction', hash)).toMatchObject([{ value: '0x5' }]);
  const ask = () => live.rpc('ots_getTransactionBySenderAndNonce', live.accounts[0], 0);
  expect(await ask()).toBeNull();
  await live.clock.advance(2_000);
  expect(await ask()).toBe(hash);
  await live.close();
});
