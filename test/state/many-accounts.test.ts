import { createMPT, type MerklePatriciaTrie } from '@ethereumjs/mpt';
import { RLP } from '@ethereumjs/rlp';
import { bigIntToUnpaddedBytes, bytesToHex, hexToBytes } from '@ethereumjs/util';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { EMPTY_CODE_HASH, EMPTY_ROOT, NEW_ACCOUNT } from '../../src/state/account.ts';
import { keccak256 } from '../../src/state/keccak.ts';
import { MemorySource } from '../../src/state/node-cache.ts';
import { TrieState } from '../../src/state/trie-state.ts';
import type { AccountState, StateWrites, StorageWrites } from '../../src/state/view.ts';
import { partsOf } from '../../src/state/writes.ts';
import { runs } from '../fuzz.ts';

type Random = () => number;
type Given = { readonly nonce: bigint; readonly balance: bigint; readonly slots: Map<string, Uint8Array> };

const ADDRESSES = 2_000;
const SLOTS = 20;

function randomOf(seed: number): Random {
  let state = seed;
  return () => {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9) | 0;
    return (state >>> 0) / 2 ** 32;
  };
}

/** What each account has, by address, as EthereumJS's own trie is filled with it. */
type Model = Map<`0x${string}`, Given>;

/** Writes to many accounts: new ones, changed ones, removed ones, with slots that are set and cleared. */
function randomWrites(random: Random, count: number, model: Model): StateWrites {
  const accounts = new Map<string, AccountState | undefined>();
  const storage = new Map<string, StorageWrites>();
  for (let i = 0; i < count; i++) {
    const address = bytesToHex(keccak256(Uint8Array.of(...u16(random() * ADDRESSES))).subarray(12));
    const before = model.get(address);
    if (before && random() < 0.2) {
      accounts.set(address, undefined);
      storage.delete(address);
      model.delete(address);
      continue;
    }
    const nonce = BigInt(Math.floor(random() * 300));
    const balance = BigInt(Math.floor(random() * 2 ** 40)) ** 3n;
    const cleared = random() < 0.1 || (accounts.has(address) && !before);
    const slots = new Map(cleared ? [] : before?.slots);
    const written = new Map(cleared ? [] : storage.get(address)?.slots);
    for (let k = random() < 0.1 ? Math.floor(random() * SLOTS) : 0; k > 0; k--) {
      const slot = bytesToHex(word(random() * SLOTS));
      const value =
        random() < 0.3 ? new Uint8Array(0) : Uint8Array.of(1 + random() * 254, ...u16(random() * 9));
      written.set(slot, value);
      if (value.length > 0) slots.set(slot, value);
      else slots.delete(slot);
    }
    model.set(address, { nonce, balance, slots });
    accounts.set(address, { ...NEW_ACCOUNT, nonce, balance });
    const wasCleared = cleared || (storage.get(address)?.cleared ?? false);
    if (wasCleared || written.size > 0) storage.set(address, { cleared: wasCleared, slots: written });
  }
  return { accounts, storage, code: new Map() };
}

const u16 = (n: number) => [Math.floor(n) >> 8, Math.floor(n) & 255];
const word = (n: number) => {
  const bytes = new Uint8Array(32);
  bytes.set(u16(n), 30);
  return bytes;
};

async function libraryRoot(model: Model): Promise<Uint8Array> {
  const state: MerklePatriciaTrie = await createMPT({ useKeyHashing: true });
  for (const [address, { nonce, balance, slots }] of model) {
    const storage = await createMPT({ useKeyHashing: true });
    for (const [slot, value] of slots)
      await storage.put(hexToBytes(slot as `0x${string}`), RLP.encode(value));
    const fields = [nonce, balance].map((field) =>
      field === 0n ? new Uint8Array(0) : bigIntToUnpaddedBytes(field),
    );
    await state.put(hexToBytes(address), RLP.encode([...fields, storage.root(), EMPTY_CODE_HASH]));
  }
  return state.root();
}

test('many accounts that are written at once, or part by part, have the root that EthereumJS computes of all', async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer(), fc.boolean(), async (seed, inParts) => {
      const random = randomOf(seed);
      const source = new MemorySource();
      const model: Model = new Map();
      let state = TrieState.at(source, EMPTY_ROOT);
      // First on an empty state, then on one that has accounts, of which some are removed.
      for (const count of [520, 150, 3]) {
        const writes = randomWrites(random, count, model);
        const parts: StateWrites[] = inParts ? [] : [writes];
        if (inParts) for await (const part of partsOf(writes)) parts.push(part);
        for (const part of parts) {
          const folded = state.fold(part);
          source.store(folded.unstored());
          state = TrieState.at(source, folded.root);
        }
        expect(bytesToHex(state.root)).toBe(bytesToHex(await libraryRoot(model)));
        expect([...state.accounts()].length).toBe(model.size);
      }
    }),
    { numRuns: runs(1) },
  );
});
