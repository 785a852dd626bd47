import { createAddressFromString, hexToBytes } from '@ethereumjs/util';
import { expect, test } from 'vitest';
import { DevnetError } from '../../src/errors.ts';
import { EMPTY_ROOT } from '../../src/state/account.ts';
import { accountsOf } from '../../src/state/accounts-of-state.ts';
import { genesisWrites } from '../../src/state/genesis.ts';
import { keccak256 } from '../../src/state/keccak.ts';
import { MemorySource } from '../../src/state/node-cache.ts';
import { TrieState } from '../../src/state/trie-state.ts';

const addresses = Array.from(
  { length: 40 },
  (_, i) => `0x${(i + 1).toString(16).padStart(40, '0')}` as const,
);
const slot = `0x${'0'.repeat(63)}5` as const;
const preimages = new Map(
  [...addresses, slot].map((key) => [
    Buffer.from(keccak256(hexToBytes(key))).toString('hex'),
    hexToBytes(key),
  ]),
);
const preimageOf = (hash: Uint8Array) => preimages.get(Buffer.from(hash).toString('hex'));
const state = TrieState.at(new MemorySource(), EMPTY_ROOT).fold(
  genesisWrites(
    new Map(
      addresses.map((address, i) => [
        address,
        { balance: BigInt(i), storage: i === 7 ? new Map([[slot, Uint8Array.of(9)]]) : new Map() },
      ]),
    ),
  ),
);

test('all accounts come in the order of their addresses, with their storage', async () => {
  const found = [];
  for await (const accounts of accountsOf(state, preimageOf))
    for (const [address, { balance, storage }] of accounts)
      found.push([address, balance, storage?.get(slot)]);
  expect(found).toEqual(
    addresses.map((address, i) => [address, BigInt(i), i === 7 ? Uint8Array.of(9) : undefined]),
  );
  expect(state.getAccount(createAddressFromString(addresses[7]!))).toBeDefined();
});

test.each([3, 9])('it ends where its request ends, at check %i', async (last) => {
  let checks = 0;
  const pauses = {
    get due() {
      return ++checks >= last;
    },
    pause: () => Promise.reject(new DevnetError('timedOut', { ms: 1 })),
    hold: () => {},
  };
  const all = async () => {
    for await (const _ of accountsOf(state, preimageOf, pauses));
  };
  await expect(all()).rejects.toMatchObject({ kind: 'timedOut' });
  expect(checks).toBe(last);
});

test('each node of the state is read once', async () => {
  const source = new MemorySource();
  const { nodes, code } = state.unstored();
  const stored = [...nodes];
  source.store({ nodes: stored, code });
  let reads = 0;
  const counting = {
    getCode: (hash: Uint8Array) => source.getCode(hash),
    getNode: (hash: Uint8Array) => {
      reads++;
      return source.getNode(hash);
    },
  };
  let accounts = 0;
  for await (const some of accountsOf(TrieState.at(counting, state.root), preimageOf))
    accounts += some.length;
  expect(accounts).toBe(addresses.length);
  expect(reads).toBe(stored.length);
});

test('the key of a slot that many accounts have is looked up once', async () => {
  const many = TrieState.at(new MemorySource(), EMPTY_ROOT).fold(
    genesisWrites(
      new Map(
        addresses.map((address, i) => [
          address,
          { balance: 1n, storage: new Map([[slot, Uint8Array.of(i + 1)]]) },
        ]),
      ),
    ),
  );
  let looked = 0;
  const counting = (hash: Uint8Array) => {
    looked++;
    return preimageOf(hash);
  };
  const values = [];
  for await (const some of accountsOf(many, counting))
    for (const [, { storage }] of some) values.push(storage?.get(slot));
  expect(values).toEqual(addresses.map((_, i) => Uint8Array.of(i + 1)));
  expect(looked).toBe(addresses.length + 1);
});
