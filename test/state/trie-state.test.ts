import { verifyMerkleProof } from '@ethereumjs/mpt';
import { RLP } from '@ethereumjs/rlp';
import { bytesToHex } from '@ethereumjs/util';
import { describe, expect, it } from 'vitest';
import { decodeAccount, EMPTY_ROOT, encodeAccount } from '../../src/state/account.ts';
import { EMPTY_STATE } from '../../src/state/empty-state.ts';
import { keccak256 } from '../../src/state/keccak.ts';
import { CachedSource, MemorySource, type StateSource } from '../../src/state/node-cache.ts';
import { Overlay } from '../../src/state/overlay.ts';
import { TrieState } from '../../src/state/trie-state.ts';
import { account, address, slot } from './view-contract.ts';

const a = address(1);

function filled(source: StateSource): TrieState {
  const overlay = new Overlay(EMPTY_STATE);
  for (let n = 0; n < 40; n++) overlay.setAccount(address(n), account(BigInt(n), 10n ** 18n));
  overlay.setCode(a, Uint8Array.of(0x60, 1));
  for (let n = 1; n < 40; n++) overlay.setStorage(a, slot(n), Uint8Array.of(n));
  return TrieState.at(source, EMPTY_ROOT).fold(overlay.writes());
}

describe('trie state', () => {
  it('proves accounts and slots, present and missing, as a light client checks them', async () => {
    const state = filled(new MemorySource());
    const slots = [slot(1), slot(200)];
    const proof = state.proveAccount(a);
    const leaf = await verifyMerkleProof(keccak256(a.bytes), [...proof.accountProof], { root: state.root });
    expect(leaf).toEqual(encodeAccount(proof.account!));
    expect(decodeAccount(leaf!)).toEqual(state.getAccount(a));
    expect(proof.storageHash).toEqual(proof.account!.storageRoot);
    for (const [i, { value, proof: nodes }] of [...state.proveSlots(a, slots)].entries()) {
      const found = await verifyMerkleProof(keccak256(slots[i]!), [...nodes], { root: proof.storageHash });
      expect(found).toEqual(value.length === 0 ? null : RLP.encode(value));
    }
    const missing = state.proveAccount(address(99));
    expect(missing).toMatchObject({ account: undefined, storageHash: EMPTY_ROOT });
    expect([...state.proveSlots(address(99), [slot(1)])]).toEqual([{ value: new Uint8Array(0), proof: [] }]);
    const none = await verifyMerkleProof(keccak256(address(99).bytes), [...missing.accountProof], {
      root: state.root,
    });
    expect(none).toBeNull();
  });

  it('lists storage by hashed slot, in pieces', () => {
    const state = filled(new MemorySource());
    const seen: string[] = [];
    let next: Uint8Array | undefined = new Uint8Array(32);
    while (next !== undefined) {
      const piece = state.storageEntries(a, next, 7);
      seen.push(...piece.entries.map(({ hashedSlot, value }) => `${bytesToHex(hashedSlot)}=${value[0]}`));
      next = piece.next;
    }
    const all = Array.from({ length: 39 }, (_, i) => `${bytesToHex(keccak256(slot(i + 1)))}=${i + 1}`);
    expect(seen).toEqual(all.sort());
    expect(state.storageEntries(address(2), new Uint8Array(32), 7)).toEqual({ entries: [], next: undefined });
  });

  it('drops slots written to an account that does not exist', () => {
    const state = filled(new MemorySource());
    const overlay = new Overlay(state);
    overlay.setStorage(address(99), slot(1), Uint8Array.of(1));
    expect(state.fold(overlay.writes()).root).toEqual(state.root);
  });

  it('has nothing to store once it is reopened', () => {
    const memory = new MemorySource();
    const state = filled(memory);
    memory.store(state.unstored());
    const { nodes, code } = TrieState.at(memory, state.root).unstored();
    expect([...nodes, ...code]).toEqual([]);
  });

  it('names code the source lacks', () => {
    const memory = new MemorySource();
    const state = filled(memory);
    memory.store({ nodes: state.unstored().nodes, code: [] });
    const reopened = TrieState.at(memory, state.root);
    expect(() => reopened.getCode(a)).toThrow(bytesToHex(keccak256(Uint8Array.of(0x60, 1))));
  });
});

describe('cached source', () => {
  it('asks the raw source once for a node that stays in use, and again for one that fell out', () => {
    const memory = new MemorySource();
    const state = filled(memory);
    memory.store(state.unstored());
    let asked = 0;
    const raw: StateSource = {
      getNode: (hash) => {
        asked++;
        return memory.getNode(hash);
      },
      getCode: (hash) => memory.getCode(hash),
    };
    const roomy = new CachedSource({}, raw);
    for (let i = 0; i < 10; i++) TrieState.at(roomy, state.root).getAccount(a);
    const path = asked;
    expect(path).toBeLessThan(5);
    asked = 0;
    const tight = new CachedSource({ maxNodes: 1 }, raw);
    for (let i = 0; i < 10; i++) TrieState.at(tight, state.root).getAccount(a);
    expect(asked).toBe(path * 10);
  });

  it('has code that was added before the raw source has it', () => {
    const memory = new MemorySource();
    const cached = new CachedSource({}, memory);
    const state = filled(cached);
    const { nodes, code } = state.unstored();
    memory.store({ nodes, code: [] });
    for (const [hash, bytes] of code) cached.addCode(hash, bytes);
    const reopened = TrieState.at(cached, state.root);
    expect(reopened.getStorage(a, slot(3))).toEqual(Uint8Array.of(3));
    expect(reopened.getCode(a)).toEqual(Uint8Array.of(0x60, 1));
  });
});
