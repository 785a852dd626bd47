import { MerkleStateManager } from '@ethereumjs/statemanager';
import { Account, Address, bytesToHex, setLengthLeft } from '@ethereumjs/util';
import { expect, test } from 'vitest';
import { EMPTY_CODE_HASH, EMPTY_ROOT, NEW_ACCOUNT } from '../../../src/state/account.ts';
import { keccak256 } from '../../../src/state/keccak.ts';
import { CachedSource, MemorySource } from '../../../src/state/node-cache.ts';
import { Overlay } from '../../../src/state/overlay.ts';
import { TrieState } from '../../../src/state/trie-state.ts';
import { engineOf } from '../ethereumjs/stock.ts';

const PARTS = 4;
/** Accounts of each part: a tenth of them was in the part before, and a tenth has storage. */
const ACCOUNTS = 300;

const addressAt = (i: number) => new Address(keccak256(Uint8Array.of(i >> 8, i & 255)).subarray(0, 20));
const word = (i: number) => setLengthLeft(Uint8Array.of(i + 1), 32);

test("the core computes the roots of many dev writes, one after the other, as EthereumJS's trie does", async () => {
  const { engine } = engineOf('osaka', 'fast');
  const library = new MerkleStateManager();
  const stored = new MemorySource();
  const source = new CachedSource({}, stored);
  let state = TrieState.at(source, EMPTY_ROOT);
  for (let part = 0; part < PARTS; part++) {
    const writes = new Overlay(state);
    for (let n = 0; n < ACCOUNTS; n++) {
      const i = (part * ACCOUNTS * 9) / 10 + n;
      const at = addressAt(i);
      const balance = BigInt(i * PARTS + part);
      const before = state.getAccount(at);
      expect(before?.balance, `account ${i} before part ${part}`).toBe(
        (await library.getAccount(at))?.balance,
      );
      writes.setAccount(at, { ...NEW_ACCOUNT, ...before, balance });
      const account = (await library.getAccount(at)) ?? new Account();
      account.balance = balance;
      await library.putAccount(at, account);
      if (n % 10 > 0) continue;
      for (let slot = 0; slot <= part; slot++) {
        writes.setStorage(at, word(slot), word(part));
        await library.putStorage(at, word(slot), Uint8Array.of(part + 1));
      }
    }
    state = state.fold(writes.writes());
    engine.computeRoot(state);
    expect(state.hasRoot, 'it needs no tries of its own').toBe(true);
    expect(bytesToHex(state.root)).toBe(bytesToHex(await library.getStateRoot()));
    stored.store(state.unstored());
    state = state.asStored(source);
  }
  // What was listed to be stored is all of it.
  const reopened = TrieState.at(stored, state.root);
  for (let i = 0; i < ACCOUNTS; i++)
    expect(reopened.getAccount(addressAt(i))).toEqual(state.getAccount(addressAt(i)));
  expect(reopened.getAccount(addressAt(0))).toMatchObject({ nonce: 0n, codeHash: EMPTY_CODE_HASH });
});
