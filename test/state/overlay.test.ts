import { describe, expect, it } from 'vitest';
import { EMPTY_CODE_HASH, EMPTY_ROOT } from '../../src/state/account.ts';
import { EMPTY_STATE } from '../../src/state/empty-state.ts';
import { MemorySource } from '../../src/state/node-cache.ts';
import { Overlay } from '../../src/state/overlay.ts';
import { TrieState } from '../../src/state/trie-state.ts';
import type { StateView } from '../../src/state/view.ts';
import { account, address, slot } from './view-contract.ts';

const [a, b] = [address(1), address(2)];

function stored(): TrieState {
  const overlay = new Overlay(EMPTY_STATE);
  overlay.setAccount(a, account(1n, 100n));
  overlay.setStorage(a, slot(1), Uint8Array.of(1));
  return TrieState.at(new MemorySource(), EMPTY_ROOT).fold(overlay.writes());
}

describe('overlay', () => {
  it('writes hold what was written, not what was read', () => {
    const overlay = new Overlay(stored());
    overlay.getAccount(a);
    overlay.getStorage(a, slot(1));
    overlay.getAccount(b);
    expect(overlay.writes()).toEqual({ accounts: new Map(), storage: new Map(), code: new Map() });
  });

  it('reverting takes back accounts, slots, code, clears and deletes', async () => {
    const base = stored();
    const overlay = new Overlay(base);
    overlay.checkpoint();
    overlay.setStorage(a, slot(1), Uint8Array.of(2));
    overlay.checkpoint();
    overlay.setAccount(b, account(5n, 5n));
    await overlay.setCode(b, Uint8Array.of(0x60));
    overlay.clearStorage(a);
    overlay.setAccount(a, undefined);
    overlay.setAccount(a, account(0n, 7n));
    overlay.revert();
    expect(overlay.getAccount(a)).toEqual(base.getAccount(a));
    expect(overlay.getAccount(b)).toBeUndefined();
    expect(overlay.getStorage(a, slot(1))).toEqual(Uint8Array.of(2));
    overlay.revert();
    expect(overlay.getStorage(a, slot(1))).toEqual(Uint8Array.of(1));
    expect(overlay.writes()).toEqual({ accounts: new Map(), storage: new Map(), code: new Map() });
  });

  it('a balance that is negative or has more than 256 bits is refused', () => {
    const overlay = new Overlay(EMPTY_STATE);
    for (const balance of [-1n, 2n ** 256n])
      expect(() => overlay.setAccount(a, account(0n, balance))).toThrow(RangeError);
    expect(overlay.version).toBe(0);
  });

  it('an inner commit is taken back by the outer revert', () => {
    const overlay = new Overlay(stored());
    overlay.checkpoint();
    overlay.checkpoint();
    overlay.setStorage(a, slot(1), Uint8Array.of(9));
    overlay.commit();
    overlay.revert();
    expect(overlay.getStorage(a, slot(1))).toEqual(Uint8Array.of(1));
  });

  it('writes are refused while a checkpoint is open, and so is closing one that is not', () => {
    const overlay = new Overlay(EMPTY_STATE);
    overlay.checkpoint();
    expect(() => overlay.writes()).toThrow();
    overlay.commit();
    overlay.writes();
    expect(() => overlay.commit()).toThrow();
    expect(() => overlay.revert()).toThrow();
  });

  it('the storage root is the empty one after a clear and after a re-creation, whoever wrote the account', () => {
    const cleared = new Overlay(stored());
    expect(cleared.getAccount(a)).not.toMatchObject({ storageRoot: EMPTY_ROOT });
    cleared.clearStorage(a);
    expect(cleared.getAccount(a)).toMatchObject({ storageRoot: EMPTY_ROOT });
    const written = new Overlay(stored());
    written.setAccount(a, account(2n, 2n));
    expect(written.getAccount(a)).not.toMatchObject({ storageRoot: EMPTY_ROOT });
    written.clearStorage(a);
    expect(written.getAccount(a)).toMatchObject({ storageRoot: EMPTY_ROOT });
    const recreated = new Overlay(stored());
    const before = recreated.getAccount(a);
    recreated.setAccount(a, undefined);
    recreated.setAccount(a, before as never);
    expect(recreated.getAccount(a)).toMatchObject({ storageRoot: EMPTY_ROOT });
    const child = new Overlay(stored());
    child.clearStorage(a);
    const parent = new Overlay(stored());
    parent.setAccount(a, account(3n, 3n));
    parent.apply(child.writes());
    expect(parent.getAccount(a)).toMatchObject({ nonce: 3n, storageRoot: EMPTY_ROOT });
  });

  it("a child sees its parent's writes, and the parent the child's once applied", async () => {
    const parent = new Overlay(stored());
    parent.setStorage(a, slot(2), Uint8Array.of(2));
    await parent.setCode(b, Uint8Array.of(0x60, 1));
    const child = new Overlay(parent);
    expect(child.getStorage(a, slot(2))).toEqual(Uint8Array.of(2));
    expect(child.getCode(b)).toEqual(Uint8Array.of(0x60, 1));
    child.setStorage(a, slot(2), Uint8Array.of(3));
    child.setAccount(b, undefined);
    expect(parent.getStorage(a, slot(2))).toEqual(Uint8Array.of(2));
    parent.checkpoint();
    parent.apply(child.writes());
    expect(parent.getStorage(a, slot(2))).toEqual(Uint8Array.of(3));
    expect(parent.getAccount(b)).toBeUndefined();
    parent.revert();
    expect(parent.getStorage(a, slot(2))).toEqual(Uint8Array.of(2));
    expect(parent.getCode(b)).toEqual(Uint8Array.of(0x60, 1));
  });

  it('a child made after writes to its parent sees them', () => {
    const parent = new Overlay(stored());
    expect(new Overlay(parent).getStorage(a, slot(1))).toEqual(Uint8Array.of(1));
    parent.setStorage(a, slot(1), Uint8Array.of(5));
    expect(new Overlay(parent).getStorage(a, slot(1))).toEqual(Uint8Array.of(5));
  });

  it('answers at once where the base does, and asks a base of promises once', async () => {
    const local = new Overlay(stored());
    expect(local.getAccount(a)).not.toBeInstanceOf(Promise);
    expect(local.getStorage(a, slot(1))).not.toBeInstanceOf(Promise);
    expect(local.getCode(a)).not.toBeInstanceOf(Promise);
    let asked = 0;
    const base = stored();
    const remote: StateView = {
      getAccount: async (who) => {
        asked++;
        return base.getAccount(who);
      },
      getCode: async (who) => base.getCode(who),
      getStorage: async (who, where) => {
        asked++;
        return base.getStorage(who, where);
      },
    };
    const overlay = new Overlay(remote);
    expect(await overlay.getAccount(a)).toMatchObject({ nonce: 1n });
    expect(overlay.getAccount(a)).toMatchObject({ nonce: 1n });
    expect(await overlay.getAccount(b)).toBeUndefined();
    expect(overlay.getAccount(b)).toBeUndefined();
    expect(await overlay.getStorage(a, slot(1))).toEqual(Uint8Array.of(1));
    expect(overlay.getStorage(a, slot(1))).toEqual(Uint8Array.of(1));
    expect(asked).toBe(3);
  });

  it('a value handed in may be changed by its owner afterwards', () => {
    const overlay = new Overlay(EMPTY_STATE);
    const value = Uint8Array.of(0, 1, 2);
    overlay.setStorage(a, slot(1), value);
    value.fill(9);
    expect(overlay.getStorage(a, slot(1))).toEqual(Uint8Array.of(1, 2));
  });

  it('code taken away leaves the hash of no code', async () => {
    const overlay = new Overlay(EMPTY_STATE);
    await overlay.setCode(a, Uint8Array.of(1));
    await overlay.setCode(a, new Uint8Array(0));
    expect(overlay.getAccount(a)).toMatchObject({ codeHash: EMPTY_CODE_HASH });
    expect(overlay.getCode(a)).toEqual(new Uint8Array(0));
  });
});
