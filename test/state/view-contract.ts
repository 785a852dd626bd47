import { Address, bytesToBigInt, bytesToHex, hexToBytes } from '@ethereumjs/util';
import { beforeEach, describe, expect, it } from 'vitest';
import { EMPTY_CODE_HASH, EMPTY_ROOT } from '../../src/state/account.ts';
import { keccak256 } from '../../src/state/keccak.ts';
import { type AccountWrite, Overlay } from '../../src/state/overlay.ts';
import type { StateView, StateWrites } from '../../src/state/view.ts';

/** What makes views of one kind. */
export interface StateViewFactory {
  /** a view of no accounts */
  empty(): StateView;
  /** `view` with the writes; `view` itself must stay as it is */
  fold(view: StateView, writes: StateWrites): StateView;
}

export const address = (n: number): Address => new Address(keccak256(Uint8Array.of(n)).slice(0, 20));
export const slot = (n: number): Uint8Array => {
  const bytes = new Uint8Array(32);
  bytes[31] = n;
  return bytes;
};
export const account = (nonce: bigint, balance: bigint): AccountWrite => ({
  nonce,
  balance,
  codeHash: EMPTY_CODE_HASH,
});

/** What every state view does, run on each implementation. */
export function stateViewContract(name: string, factory: StateViewFactory): void {
  const [a, b] = [address(1), address(2)];
  const code = hexToBytes('0x6001600155');
  const written = (view: StateView, write: (overlay: Overlay) => void): StateView => {
    const overlay = new Overlay(view);
    write(overlay);
    return factory.fold(view, overlay.writes());
  };

  describe(`state view: ${name}`, () => {
    let empty: StateView;
    let full: StateView;
    beforeEach(() => {
      empty = factory.empty();
      full = written(empty, (overlay) => {
        overlay.setAccount(a, account(3n, 10n ** 21n));
        overlay.setCode(a, code);
        overlay.setStorage(a, slot(1), Uint8Array.of(0, 0, 7));
        overlay.setStorage(a, slot(2), new Uint8Array(32).fill(0xff));
        overlay.setAccount(b, account(0n, 1n));
      });
    });

    it('an account that does not exist is undefined, without code and storage', async () => {
      expect(await empty.getAccount(a)).toBeUndefined();
      expect(await empty.getCode(a)).toEqual(new Uint8Array(0));
      expect(await empty.getStorage(a, slot(1))).toEqual(new Uint8Array(0));
    });

    it('an account has the nonce, balance and code hash it was given', async () => {
      expect(await full.getAccount(a)).toMatchObject({
        nonce: 3n,
        balance: 10n ** 21n,
        codeHash: keccak256(code),
      });
      expect(await full.getAccount(b)).toMatchObject({ nonce: 0n, balance: 1n, codeHash: EMPTY_CODE_HASH });
    });

    it('code is found by account, and an account without code has empty code', async () => {
      expect(await full.getCode(a)).toEqual(code);
      expect(await full.getCode(b)).toEqual(new Uint8Array(0));
    });

    it('a slot has no leading zeros and a slot never set is empty', async () => {
      expect(await full.getStorage(a, slot(1))).toEqual(Uint8Array.of(7));
      expect(bytesToBigInt(await full.getStorage(a, slot(2)))).toBe(2n ** 256n - 1n);
      expect(await full.getStorage(a, slot(3))).toEqual(new Uint8Array(0));
      expect(await full.getStorage(b, slot(1))).toEqual(new Uint8Array(0));
    });

    it('a slot set to zero is empty', async () => {
      const view = written(full, (overlay) => overlay.setStorage(a, slot(1), slot(0)));
      expect(await view.getStorage(a, slot(1))).toEqual(new Uint8Array(0));
      expect(bytesToHex(await view.getStorage(a, slot(2)))).toBe(`0x${'ff'.repeat(32)}`);
    });

    it('a view does not change with what is written over it later', async () => {
      const before = await full.getAccount(a);
      const later = written(full, (overlay) => {
        overlay.setAccount(a, account(9n, 9n));
        overlay.setStorage(a, slot(1), Uint8Array.of(9));
        overlay.setAccount(b, undefined);
      });
      expect(await later.getAccount(a)).toMatchObject({ nonce: 9n });
      expect(await full.getAccount(a)).toEqual(before);
      expect(await full.getStorage(a, slot(1))).toEqual(Uint8Array.of(7));
      expect(await full.getAccount(b)).toMatchObject({ balance: 1n });
    });

    it('a deleted account is gone with its storage and code', async () => {
      const view = written(full, (overlay) => overlay.setAccount(a, undefined));
      expect(await view.getAccount(a)).toBeUndefined();
      expect(await view.getCode(a)).toEqual(new Uint8Array(0));
      expect(await view.getStorage(a, slot(1))).toEqual(new Uint8Array(0));
    });

    it('an account deleted and created again has empty storage, at once and in a later fold', async () => {
      const atOnce = written(full, (overlay) => {
        overlay.setAccount(a, undefined);
        overlay.setAccount(a, account(1n, 1n));
        overlay.setStorage(a, slot(5), Uint8Array.of(5));
      });
      const later = written(
        written(full, (overlay) => overlay.setAccount(a, undefined)),
        (overlay) => {
          overlay.setAccount(a, account(1n, 1n));
          overlay.setStorage(a, slot(5), Uint8Array.of(5));
        },
      );
      for (const view of [atOnce, later]) {
        expect(await view.getStorage(a, slot(1))).toEqual(new Uint8Array(0));
        expect(await view.getStorage(a, slot(5))).toEqual(Uint8Array.of(5));
        expect(await view.getAccount(a)).toMatchObject({ nonce: 1n });
      }
    });

    it('cleared storage is empty and the account stays', async () => {
      const view = written(full, (overlay) => overlay.clearStorage(a));
      expect(await view.getStorage(a, slot(1))).toEqual(new Uint8Array(0));
      expect(await view.getAccount(a)).toMatchObject({ nonce: 3n, storageRoot: EMPTY_ROOT });
      expect(await view.getCode(a)).toEqual(code);
    });

    it('an empty account is kept as given', async () => {
      const view = written(empty, (overlay) => overlay.setAccount(a, account(0n, 0n)));
      expect(await view.getAccount(a)).toMatchObject({ nonce: 0n, balance: 0n, codeHash: EMPTY_CODE_HASH });
    });
  });
}
