import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hex } from '../../../src/rpc/codec/hex.ts';
import { keccak256 } from '../../../src/state/keccak.ts';
import { initOf } from '../otterscan/programs.ts';
import { ALICE, GENESIS_TIME, MODES, startNode, type TestNode } from './node.ts';

const NOWHERE = `0x${'ab'.repeat(32)}`;
const EMPTY_ROOT = '0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421';
const NO_CODE = '0xc5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470';
const CODE = '0x600160015500';
const CODE_HASH = hex(keccak256(Buffer.from(CODE.slice(2), 'hex')));

let node: TestNode;
let contract: string;
let called: string;

beforeAll(async () => {
  node = await startNode();
  const from = node.accounts[0];
  const created = await node.rpc('eth_sendTransaction', { from, data: initOf(CODE.slice(2)) });
  contract = (await node.rpc('eth_getTransactionReceipt', created)).contractAddress;
  called = await node.rpc('eth_sendTransaction', { from, to: contract });
});
afterAll(() => node.close());

describe('an account in one answer', () => {
  test('is as its parts are, at each block', async () => {
    for (const at of ['0x1', 'latest', 'pending']) {
      const proof = await node.rpc('eth_getProof', contract, [], at === 'pending' ? 'latest' : at);
      expect(await node.rpc('eth_getAccount', contract, at)).toEqual({
        nonce: '0x1',
        balance: '0x0',
        storageRoot: proof.storageHash,
        codeHash: CODE_HASH,
      });
      expect(await node.rpc('eth_getAccountInfo', contract, at)).toEqual({
        nonce: '0x1',
        balance: '0x0',
        code: CODE,
      });
    }
    const roots = await Promise.all(
      ['0x1', 'latest'].map(async (at) => (await node.rpc('eth_getAccount', contract, at)).storageRoot),
    );
    expect(roots[0]).toBe(EMPTY_ROOT);
    expect(roots[1]).not.toBe(EMPTY_ROOT);
  });

  test('is empty where there is none', async () => {
    const empty = { nonce: '0x0', balance: '0x0' };
    expect(await node.rpc('eth_getAccount', NOWHERE.slice(0, 42))).toEqual({
      ...empty,
      storageRoot: EMPTY_ROOT,
      codeHash: NO_CODE,
    });
    expect(await node.rpc('eth_getAccountInfo', NOWHERE.slice(0, 42))).toEqual({ ...empty, code: '0x' });
  });

  test('has the storage that a pre-confirmed transaction wrote', async () => {
    const live = await startNode(MODES.interval);
    const from = live.accounts[0];
    const created = await live.rpc('eth_sendTransaction', { from, data: initOf(CODE.slice(2)) });
    await live.tick();
    const { contractAddress } = await live.rpc('eth_getTransactionReceipt', created);
    await live.rpc('eth_sendTransaction', { from, to: contractAddress, gas: '0x186a0' });
    await live.tick();
    const { storageRoot } = await live.rpc('eth_getAccount', contractAddress, 'pending');
    expect(storageRoot).toBe((await node.rpc('eth_getAccount', contract, 'latest')).storageRoot);
    await live.close();
  });
});

test('raw transactions are found by their place', async () => {
  const raw = await node.rpc('eth_getRawTransactionByHash', called);
  const { hash } = await node.block();
  expect(await node.rpc('eth_getRawTransactionByBlockNumberAndIndex', 'latest', '0x0')).toBe(raw);
  expect(await node.rpc('eth_getRawTransactionByBlockHashAndIndex', hash, '0x0')).toBe(raw);
  expect(await node.rpc('eth_getRawTransactionByBlockNumberAndIndex', 'latest', '0x1')).toBeNull();
  expect(await node.rpc('eth_getRawTransactionByBlockHashAndIndex', NOWHERE, '0x0')).toBeNull();
});

test('code and trie nodes are found by their hash', async () => {
  for (const at of [[], ['latest'], ['0x0']])
    expect(await node.rpc('debug_codeByHash', CODE_HASH, ...at)).toBe(CODE);
  expect(await node.rpc('debug_codeByHash', NOWHERE)).toBe('0x');
  expect(await node.rpc('debug_dbGet', CODE_HASH)).toBe(CODE);
  expect(await node.rpc('debug_dbGet', `0x63${CODE_HASH.slice(2)}`)).toBe(CODE);
  const { stateRoot } = await node.block();
  const root = await node.rpc('debug_dbGet', stateRoot);
  expect(hex(keccak256(Buffer.from(root.slice(2), 'hex')))).toBe(stateRoot);
  for (const key of [NOWHERE, `0x63${NOWHERE.slice(2)}`, '0x'])
    expect(await node.rpc('debug_dbGet', key)).toBeNull();
});

test('the time of genesis is answered in seconds', async () =>
  expect(await node.rpc('anvil_getGenesisTime')).toBe(GENESIS_TIME));

test.each([
  ['eth_getWork', []],
  ['eth_submitWork', ['0x0000000000000001', NOWHERE, NOWHERE]],
  ['eth_submitHashrate', ['0x5', NOWHERE]],
  ['anvil_setFeeToken', [ALICE, ALICE]],
  ['anvil_setValidatorFeeToken', [ALICE, ALICE]],
  ['anvil_setFeeAmmLiquidity', [ALICE, ALICE, '0x5']],
])('%s is refused as in anvil', async (method, params) =>
  expect(await node.codeOf(method, ...params)).toBe(-32603),
);

describe('an impersonated signature', () => {
  const RS = `${'11'.repeat(32)}${'22'.repeat(32)}`;
  const recover = (v: string, rs = RS) =>
    node.rpc('eth_call', {
      to: `0x${'1'.padStart(40, '0')}`,
      data: `${NOWHERE}${v.padStart(64, '0')}${rs}`,
    });
  const alice = `0x${ALICE.slice(2).padStart(64, '0')}`;

  test('is recovered to the account, whatever was signed', async () => {
    const before = await recover('1c');
    await node.rpc('anvil_impersonateSignature', [`0x${RS}1b`, ALICE]);
    expect(await recover('1b')).toBe(alice);
    expect(await recover('1c')).toBe(before);
    await node.rpc('anvil_impersonateSignature', `0x${RS}01`, ALICE);
    expect(await recover('1c')).toBe(alice);
    expect(await recover('1b', `${RS.slice(64)}${RS.slice(64)}`)).not.toBe(alice);
  });

  test('has 65 bytes and an account', async () => {
    for (const params of [[], [`0x${RS}`, ALICE], [`0x${RS}1b`], [[`0x${RS}1b`]], [[`0x${RS}1b`, '0x']]])
      expect(await node.codeOf('anvil_impersonateSignature', ...params)).toBe(-32602);
  });
});

test('blobs of nobody are null', async () => {
  expect(await node.rpc('anvil_getBlobByHash', NOWHERE)).toBeNull();
  expect(await node.rpc('anvil_getBlobsByTransactionHash', NOWHERE)).toBeNull();
  expect(await node.rpc('anvil_getBlobsByTransactionHash', called)).toBeNull();
});
