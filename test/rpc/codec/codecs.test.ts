import { describe, expect, test } from 'vitest';
import { DevnetError } from '../../../src/errors.ts';
import { blockNumber, blockRef } from '../../../src/rpc/codec/block-ref.ts';
import { anyOf, array, type Codec, object, optional } from '../../../src/rpc/codec/codec.ts';
import { logFilter } from '../../../src/rpc/codec/filter.ts';
import { blockOverrides, stateOverrides } from '../../../src/rpc/codec/overrides.ts';
import { transactionRequest } from '../../../src/rpc/codec/transaction.ts';
import { address, boolean, data, hash32, quantity, slot, uint64 } from '../../../src/rpc/codec/values.ts';
import { bytes } from '../fake-chain.ts';

const HASH = `0x${'ab'.repeat(32)}`;
const ADDRESS = `0x${'cc'.repeat(20)}`;
const decode = <T>(codec: Codec<T>, value: unknown): T => codec.decode(value, 'params[0]');
const reason = (codec: Codec<unknown>, value: unknown): string => {
  try {
    codec.decode(value, 'params[0]');
  } catch (error) {
    expect(error).toBeInstanceOf(DevnetError);
    expect(error).toHaveProperty('code', -32602);
    return (error as Error).message;
  }
  throw new Error('it was accepted');
};

describe('values', () => {
  test.each([
    ['0x0', 0n],
    ['0x00ff', 255n],
    ['0xFF', 255n],
    [12, 12n],
    [`0x${'f'.repeat(64)}`, 2n ** 256n - 1n],
  ])('quantity %j', (value, expected) => expect(decode(quantity, value)).toBe(expected));

  test.each(['0x', '12', '', '0xg', '-0x1', -1, 1.5, 2 ** 53, null, undefined, {}, `0x1${'0'.repeat(64)}`])(
    'quantity refuses %j',
    (value) => void reason(quantity, value),
  );

  test('a 64-bit quantity refuses more', () => {
    expect(decode(uint64, '0xffffffffffffffff')).toBe(2n ** 64n - 1n);
    reason(uint64, '0x10000000000000000');
  });

  test.each(['0x1', '0xzz', 'ab', '', 1, null, '0x0g'])(
    'data refuses %j',
    (value) => void reason(data, value),
  );
  test('data', () => {
    expect(decode(data, '0x')).toEqual(new Uint8Array());
    expect(decode(data, '0xAb01')).toEqual(Uint8Array.of(0xab, 1));
  });
  test('data of any length, of which one digit may be wrong', () => {
    for (const length of [1, 20, 32, 65, 127, 128, 129, 300]) {
      const bytes = Uint8Array.from({ length }, (_, i) => 251 * i);
      const text = `0x${Buffer.from(bytes).toString('hex')}`;
      expect(decode(data, text)).toEqual(bytes);
      expect(decode(data, text.toUpperCase())).toEqual(bytes);
      for (const wrong of ['g', ' ', '/', ':', '@', '\u0100']) reason(data, text.slice(0, -1) + wrong);
      reason(data, text.slice(0, -1));
    }
  });

  test('address and hash take exactly their length', () => {
    expect(decode(address, ADDRESS).toString()).toBe(ADDRESS);
    reason(address, `${ADDRESS}00`);
    reason(address, ADDRESS.slice(0, -1));
    expect(decode(hash32, HASH)).toEqual(bytes(0xab));
    reason(hash32, '0x1');
  });

  test('a slot is a short hex integer or 32 bytes', () => {
    expect(decode(slot, '0x1')).toEqual(Uint8Array.of(...bytes(0, 31), 1));
    expect(decode(slot, HASH)).toEqual(bytes(0xab));
    for (const bad of ['0xasdf', `${HASH}00`, '1', null]) reason(slot, bad);
  });

  test('a boolean is nothing else', () => {
    expect(decode(boolean, false)).toBe(false);
    for (const bad of ['true', 1, null]) reason(boolean, bad);
  });
});

describe('errors say where, what was expected and what was got', () => {
  test('position and value', () =>
    expect(reason(boolean, 'yes')).toMatch(/params\[0\].*true or false.*"yes"/));
  test('path into an object', () =>
    expect(reason(transactionRequest, { to: '0x12' })).toMatch(/params\[0\]\.to:.*"0x12"/));
  test('path into a list', () =>
    expect(reason(object('x', { list: array(hash32) }), { list: [HASH, 1] })).toMatch(
      /params\[0\]\.list\[1\]:/,
    ));
  test('nothing', () => expect(reason(quantity, undefined)).toMatch(/got nothing/));
  test('a long value is shortened', () => {
    expect(reason(quantity, 'x'.repeat(1_000_000)).length).toBeLessThan(200);
    expect(reason(quantity, { a: 'x'.repeat(10_000) }).length).toBeLessThan(200);
  });
  test('a value nested deep, which some versions of Node can show and some cannot', () => {
    const said = reason(quantity, JSON.parse(`${'['.repeat(100_000)}${']'.repeat(100_000)}`));
    expect(said).toMatch(/got (a value nested too deep|\[\[\[)/);
    expect(said.length).toBeLessThan(200);
  });
  test('several choices', () => expect(reason(anyOf('a or b', quantity, boolean), 'x')).toMatch(/a or b/));
});

test('optional takes missing and null', () => {
  expect(decode(optional(quantity), null)).toBeUndefined();
  expect(decode(object('x', { a: optional(quantity) }), {})).toEqual({});
  reason(object('x', { a: quantity }), {});
});

describe('block references', () => {
  test.each([
    ['latest', { tag: 'latest' }],
    ['pending', { tag: 'pending' }],
    ['safe', { tag: 'safe' }],
    ['finalized', { tag: 'finalized' }],
    ['earliest', { tag: 'earliest' }],
    ['0x10', { number: 16n }],
    [3, { number: 3n }],
    [undefined, { tag: 'latest' }],
    [null, { tag: 'latest' }],
    [HASH, { hash: bytes(0xab) }],
    [{ blockNumber: '0x1' }, { number: 1n }],
    [{ blockNumber: 'pending' }, { tag: 'pending' }],
    [{ blockHash: HASH }, { hash: bytes(0xab) }],
    [
      { blockHash: HASH, requireCanonical: true },
      { hash: bytes(0xab), requireCanonical: true },
    ],
  ])('%j', (value, expected) => expect(decode(blockRef, value)).toEqual(expected));

  test.each([
    'LATEST',
    'newest',
    '0x',
    '',
    '0x1ffffffffffffffff',
    true,
    [],
    {},
    { blockHash: HASH, blockNumber: '0x1' },
    { blockHash: '0x1' },
    '1',
  ])('refuses %j', (value) => void reason(blockRef, value));

  test('where only a number makes sense, a hash is refused and nothing is filled in', () => {
    reason(blockNumber, HASH);
    reason(blockNumber, undefined);
    reason(blockNumber, { blockNumber: '0x1' });
  });
});

describe('transaction requests', () => {
  test('data and input are one field; both only when equal', () => {
    expect(decode(transactionRequest, { data: '0x01' }).data).toEqual(Uint8Array.of(1));
    expect(decode(transactionRequest, { input: '0x01' }).data).toEqual(Uint8Array.of(1));
    expect(decode(transactionRequest, { input: '0x01', data: '0x01' }).data).toEqual(Uint8Array.of(1));
    reason(transactionRequest, { input: '0x01', data: '0x02' });
  });

  test('every field of every type', () => {
    const request = decode(transactionRequest, {
      type: '0x4',
      from: ADDRESS,
      to: ADDRESS,
      gas: '0x1',
      gasPrice: '0x2',
      maxFeePerGas: '0x3',
      maxPriorityFeePerGas: '0x4',
      maxFeePerBlobGas: '0x5',
      value: '0x6',
      nonce: '0x7',
      chainId: '0x8',
      accessList: [{ address: ADDRESS, storageKeys: ['0x1', HASH] }],
      blobVersionedHashes: [HASH],
      authorizationList: [
        { chainId: '0x0', address: ADDRESS, nonce: '0x1', yParity: '0x0', r: '0x2', s: '0x3' },
      ],
      somethingElse: true,
    });
    expect(request).toMatchObject({
      type: 4n,
      gas: 1n,
      value: 6n,
      chainId: 8n,
      blobVersionedHashes: [bytes(0xab)],
    });
    expect(request).not.toHaveProperty('somethingElse');
    expect(request.accessList?.[0]?.storageKeys[1]).toEqual(bytes(0xab));
    expect(request.authorizationList?.[0]).toEqual([
      new Uint8Array(),
      bytes(0xcc, 20),
      Uint8Array.of(1),
      new Uint8Array(),
      Uint8Array.of(2),
      Uint8Array.of(3),
    ]);
  });

  test('a null recipient is a create', () =>
    expect(decode(transactionRequest, { to: null })).not.toHaveProperty('to'));
});

describe('filters', () => {
  test('one address or many, topics nested with null', () => {
    expect(decode(logFilter, {})).toEqual({ addresses: [], topics: [] });
    expect(decode(logFilter, { address: ADDRESS }).addresses).toHaveLength(1);
    expect(decode(logFilter, { address: [ADDRESS, ADDRESS] }).addresses).toHaveLength(2);
    expect(decode(logFilter, { topics: [null, HASH, [HASH, null], []] }).topics).toEqual([
      [],
      [bytes(0xab)],
      [],
      [],
    ]);
  });

  test.each([
    [{ topics: [null, null, null, null, null] }],
    [{ topics: HASH }],
    [{ blockHash: HASH, fromBlock: '0x1' }],
    [{ address: '0x1' }],
    [{ fromBlock: 'soon' }],
    ['all'],
  ])('refuses %j', (filter) => void reason(logFilter, filter));
});

describe('overrides', () => {
  test('accounts by address', () => {
    const overrides = decode(stateOverrides, {
      [ADDRESS]: {
        balance: '0x1',
        nonce: '0x2',
        code: '0x60',
        stateDiff: { '0x1': HASH },
        movePrecompileToAddress: ADDRESS,
      },
    });
    const override = overrides.get(ADDRESS);
    expect(override).toMatchObject({ balance: 1n, nonce: 2n, code: Uint8Array.of(0x60) });
    expect([...(override?.stateDiff ?? [])]).toEqual([[`0x${'1'.padStart(64, '0')}`, bytes(0xab)]]);
  });

  test('state and stateDiff exclude each other', () =>
    void reason(stateOverrides, { [ADDRESS]: { state: {}, stateDiff: {} } }));

  test('block fields go by each of their names', () => {
    expect(
      decode(blockOverrides, { blockNumber: '0x1', timestamp: '0x2', coinbase: ADDRESS, random: HASH }),
    ).toMatchObject({ number: 1n, time: 2n, prevRandao: bytes(0xab) });
    expect(
      decode(blockOverrides, { number: '0x1', time: '0x2', baseFee: '0x3', parentBeaconBlockRoot: HASH }),
    ).toEqual({ number: 1n, time: 2n, baseFeePerGas: 3n, beaconRoot: bytes(0xab) });
    reason(blockOverrides, { time: '0x1', timestamp: '0x2' });
  });
});
