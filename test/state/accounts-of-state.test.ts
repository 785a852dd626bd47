import { bytesToHex, createAddressFromString, hexToBytes } from '@ethereumjs/util';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { DevnetError } from '../../src/errors.ts';
import { decodeAccount, EMPTY_ROOT } from '../../src/state/account.ts';
import { genesisAllocOf, WholeState } from '../../src/state/accounts-of-state.ts';
import { type GenesisAlloc, genesisWrites } from '../../src/state/genesis.ts';
import { keccak256 } from '../../src/state/keccak.ts';
import { MemorySource } from '../../src/state/node-cache.ts';
import { TrieState } from '../../src/state/trie-state.ts';

const addresses = Array.from(
  { length: 40 },
  (_, i) => `0x${(i + 1).toString(16).padStart(40, '0')}` as const,
);
const slot = `0x${'0'.repeat(63)}5` as const;
const state = stateOf(
  new Map(
    addresses.map((address, i) => [
      address,
      { balance: BigInt(i), storage: i === 7 ? new Map([[slot, Uint8Array.of(9)]]) : new Map() },
    ]),
  ),
);
const preimageOf = preimagesOf(state);

function stateOf(alloc: GenesisAlloc): TrieState {
  return TrieState.at(new MemorySource(), EMPTY_ROOT).fold(genesisWrites(alloc));
}

function preimagesOf(of: TrieState): (hash: Uint8Array) => Uint8Array | undefined {
  const preimages = new Map([...of.preimages()].map(([hash, key]) => [bytesToHex(hash), key]));
  return (hash) => preimages.get(bytesToHex(hash));
}

/** The same state, read from a store that counts its reads. */
function reopened(of: TrieState): { readonly state: TrieState; readonly nodes: number; reads: number } {
  const source = new MemorySource();
  const { nodes, code } = of.unstored();
  const stored = [...nodes];
  source.store({ nodes: stored, code });
  const counting = {
    getCode: (hash: Uint8Array) => source.getCode(hash),
    getNode: (hash: Uint8Array) => {
      found.reads++;
      return source.getNode(hash);
    },
  };
  const found = { state: TrieState.at(counting, of.root), nodes: stored.length, reads: 0 };
  return found;
}

test('all accounts come in the order of their addresses, with their storage', async () => {
  const found = [];
  const whole = new WholeState(state, { preimageOf });
  for await (const accounts of whole.accounts())
    for (const account of accounts) {
      const { balance, storageRoot } = decodeAccount(account.leaf);
      found.push([bytesToHex(account.address), balance, await whole.storageOf(account, storageRoot)]);
    }
  expect(found).toEqual(
    addresses.map((address, i) => [address, BigInt(i), i === 7 ? [[slot, Uint8Array.of(9)]] : []]),
  );
  expect(state.getAccount(createAddressFromString(addresses[7]!))).toBeDefined();
});

test('any allocation comes back sorted, from memory and from a store', async () => {
  const bytes = (length: number) => fc.uint8Array({ minLength: length, maxLength: length });
  // Few values for each byte, so that many accounts have the same first bytes.
  const address = fc.array(fc.constantFrom('00', '01', 'ff'), { minLength: 20, maxLength: 20 });
  const account = fc.record({
    nonce: fc.bigInt(0n, 2n ** 64n - 1n),
    balance: fc.bigInt(0n, 2n ** 256n - 1n),
    code: fc.uint8Array({ maxLength: 40 }),
    storage: fc.dictionary(
      bytes(32).map((slot) => bytesToHex(slot)),
      fc.uint8Array({ minLength: 1, maxLength: 32 }).filter(([first]) => first !== 0),
    ),
  });
  const alloc = fc.uniqueArray(fc.tuple(address, account), {
    selector: ([key]) => key.join(''),
    maxLength: 60,
  });
  await fc.assert(
    fc.asyncProperty(alloc, async (accounts) => {
      const given: GenesisAlloc = new Map(
        accounts.map(([key, { storage, ...rest }]) => [
          `0x${key.join('')}`,
          { ...rest, storage: new Map(Object.entries(storage)) },
        ]),
      );
      const made = stateOf(given);
      const sorted = [...given].sort(([one], [other]) => (one < other ? -1 : 1));
      for (const from of [made, reopened(made).state]) {
        const found = await genesisAllocOf(from, preimagesOf(made));
        expect([...found]).toEqual(sorted);
        expect(stateOf(found).root).toEqual(made.root);
      }
    }),
    { numRuns: 40 },
  );
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
    for await (const _ of new WholeState(state, { preimageOf, pauses }).accounts());
  };
  await expect(all()).rejects.toMatchObject({ kind: 'timedOut' });
  expect(checks).toBe(last);
});

test('each node of the state is read once', async () => {
  const stored = reopened(state);
  expect((await genesisAllocOf(stored.state, preimageOf)).size).toBe(addresses.length);
  expect(stored.reads).toBe(stored.nodes);
});

test('the key of a slot that many accounts have is looked up once', async () => {
  const many = stateOf(
    new Map(
      addresses.map((address, i) => [
        address,
        { balance: 1n, storage: new Map([[slot, Uint8Array.of(i + 1)]]) },
      ]),
    ),
  );
  let looked = 0;
  const counting = (hash: Uint8Array) => {
    looked++;
    return preimageOf(hash);
  };
  const found = await genesisAllocOf(many, counting);
  expect(addresses.map((address) => found.get(address)!.storage?.get(slot))).toEqual(
    addresses.map((_, i) => Uint8Array.of(i + 1)),
  );
  expect(looked).toBe(addresses.length + 1);
});

test('a key that is not known ends the reading', async () => {
  const all = genesisAllocOf(state, (hash) =>
    bytesToHex(hash) === bytesToHex(keccak256(hexToBytes(slot))) ? undefined : preimageOf(hash),
  );
  await expect(all).rejects.toThrow(
    `the preimage of ${bytesToHex(keccak256(hexToBytes(slot)))} is not known`,
  );
});
