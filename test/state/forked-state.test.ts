import type { Address } from '@ethereumjs/util';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { EMPTY_CODE_HASH, EMPTY_ROOT, NEW_ACCOUNT } from '../../src/state/account.ts';
import { ForkedState } from '../../src/state/forked-state.ts';
import { MemorySource } from '../../src/state/node-cache.ts';
import { Overlay } from '../../src/state/overlay.ts';
import { RemoteState, UNKNOWN_ROOT } from '../../src/state/remote-state.ts';
import { TrieState } from '../../src/state/trie-state.ts';
import type { StateView } from '../../src/state/view.ts';
import { runs } from '../fuzz.ts';
import { account, address, slot } from './view-contract.ts';

const WHO = [0, 1, 2, 3];
const WHICH = [0, 1, 2];

/** A state as its node would tell it, and what was asked. */
function told(state: TrieState) {
  const asked: string[] = [];
  const remote = new RemoteState({
    reads: {
      account: async (bytes) => {
        const at = { bytes, toString: () => `0x${Buffer.from(bytes).toString('hex')}` } as Address;
        asked.push(`account ${WHO.find((n) => address(n).toString() === at.toString())}`);
        const { nonce, balance } = state.getAccount(at) ?? NEW_ACCOUNT;
        return { nonce, balance, code: state.getCode(at) };
      },
      storage: async (bytes, key) => {
        const at = { bytes, toString: () => `0x${Buffer.from(bytes).toString('hex')}` } as Address;
        asked.push(`slot ${WHO.find((n) => address(n).toString() === at.toString())} ${key.at(-1)}`);
        return state.getStorage(at, key);
      },
    },
  });
  return { remote, asked };
}

const empty = () => TrieState.at(new MemorySource(), EMPTY_ROOT);

/** Two contracts with storage and an account without code. */
function base(): TrieState {
  const overlay = new Overlay(empty());
  for (const n of [0, 1]) {
    overlay.setAccount(address(n), account(1n, 5n));
    overlay.setCode(address(n), Uint8Array.of(0x60, n));
    for (const i of WHICH) overlay.setStorage(address(n), slot(i), Uint8Array.of(i + 1));
  }
  overlay.setAccount(address(2), account(7n, 9n));
  return empty().fold(overlay.writes());
}

const write = async (state: ForkedState, change: (overlay: Overlay) => unknown) => {
  const overlay = new Overlay(state);
  await change(overlay);
  return state.fold(overlay.writes());
};

describe('a forked state', () => {
  it('asks for each account and slot once, whoever reads, and never for what was written', async () => {
    const { remote, asked } = told(base());
    const state = new ForkedState(empty(), remote);
    const both = [state.getAccount(address(0)), state.getCode(address(0)), state.getAccount(address(0))];
    await Promise.all(both);
    expect(state.getAccount(address(0))).toMatchObject({ nonce: 1n, balance: 5n });
    expect(await state.getStorage(address(0), slot(1))).toEqual(Uint8Array.of(2));
    expect(state.getStorage(address(0), slot(1))).toEqual(Uint8Array.of(2));
    expect(asked).toEqual(['account 0', 'slot 0 1']);
    const later = await write(state, (overlay) => overlay.setStorage(address(0), slot(2), Uint8Array.of(9)));
    expect(later.getStorage(address(0), slot(2))).toEqual(Uint8Array.of(9));
    expect(later.getAccount(address(0))).toMatchObject({ nonce: 1n });
    expect(asked).toHaveLength(2);
  });

  it('a slot set to zero is not read from the other chain any more', async () => {
    const { remote, asked } = told(base());
    const state = await write(new ForkedState(empty(), remote), (overlay) =>
      overlay.setStorage(address(0), slot(1), new Uint8Array(32)),
    );
    expect(state.getStorage(address(0), slot(1))).toEqual(new Uint8Array());
    expect(asked).toEqual([]);
  });

  it('a deleted account, and one created anew, have nothing of the other chain', async () => {
    const { remote } = told(base());
    const gone = await write(new ForkedState(empty(), remote), (overlay) =>
      overlay.setAccount(address(0), undefined),
    );
    expect(gone.getAccount(address(0))).toBeUndefined();
    expect(gone.getStorage(address(0), slot(0))).toEqual(new Uint8Array());
    const paid = await write(gone, (overlay) => overlay.setAccount(address(0), account(0n, 3n)));
    // EIP-7610: a contract can be created at an address that has no storage.
    expect(paid.getAccount(address(0))).toEqual({
      nonce: 0n,
      balance: 3n,
      codeHash: EMPTY_CODE_HASH,
      storageRoot: EMPTY_ROOT,
    });
    expect(paid.getCode(address(0))).toEqual(new Uint8Array());
    expect(paid.getStorage(address(0), slot(0))).toEqual(new Uint8Array());
  });

  it('storage that is not known is not taken for empty', async () => {
    const { remote } = told(base());
    const state = new ForkedState(empty(), remote);
    expect((await state.getAccount(address(0)))?.storageRoot).toEqual(UNKNOWN_ROOT);
    expect((await state.getAccount(address(2)))?.storageRoot).toEqual(EMPTY_ROOT);
    const touched = await write(state, async (overlay) =>
      overlay.setAccount(address(0), { ...(await overlay.getAccount(address(0)))!, nonce: 8n }),
    );
    expect((await touched.getAccount(address(0)))?.storageRoot).toEqual(UNKNOWN_ROOT);
  });

  it('what could not be fetched is asked for again', async () => {
    let fails = true;
    const remote = new RemoteState({
      reads: {
        account: async () => {
          if (fails) throw new Error('no connection');
          return { nonce: 4n, balance: 0n, code: new Uint8Array() };
        },
        storage: async () => new Uint8Array(),
      },
    });
    const state = new ForkedState(empty(), remote);
    await expect(state.getAccount(address(0))).rejects.toThrow('no connection');
    fails = false;
    expect(await state.getAccount(address(0))).toMatchObject({ nonce: 4n });
  });

  it('has the same root for the same writes, whatever was read before', async () => {
    const change = (overlay: Overlay) => overlay.setStorage(address(1), slot(0), Uint8Array.of(4));
    const one = await write(new ForkedState(empty(), told(base()).remote), change);
    const other = new ForkedState(empty(), told(base()).remote);
    for (const n of WHO) await other.getAccount(address(n));
    await other.getStorage(address(1), slot(0));
    expect((await write(other, change)).root).toEqual(one.root);
  });
});

const who = fc.constantFrom(...WHO);
const which = fc.constantFrom(...WHICH);
const value = fc.constantFrom(new Uint8Array(), Uint8Array.of(1), Uint8Array.of(2, 3));
const step = fc.oneof(
  fc.record({ op: fc.constant('put' as const), who, nonce: fc.nat(3), balance: fc.nat(3) }),
  { weight: 3, arbitrary: fc.record({ op: fc.constant('store' as const), who, which, value }) },
  fc.record({ op: fc.constant('code' as const), who, byte: fc.nat(3) }),
  fc.record({ op: fc.constant('delete' as const), who }),
  fc.record({ op: fc.constant('clear' as const), who }),
);
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

async function run(steps: readonly Step[], overlay: Overlay): Promise<void> {
  for (const s of steps) {
    const at = address(s.who);
    const known = await overlay.getAccount(at);
    // JSON-RPC doesn't tell an empty account from none: none is made here.
    if (s.op === 'put')
      overlay.setAccount(at, {
        ...(known ?? NEW_ACCOUNT),
        nonce: BigInt(s.nonce + 1),
        balance: BigInt(s.balance),
      });
    else if (!known) continue;
    else if (s.op === 'store') overlay.setStorage(at, slot(s.which), s.value);
    else if (s.op === 'code') await overlay.setCode(at, Uint8Array.of(0x60, s.byte));
    else if (s.op === 'delete') overlay.setAccount(at, undefined);
    else overlay.clearStorage(at);
  }
}

async function readsOf(state: StateView): Promise<unknown[]> {
  const reads: unknown[] = [];
  for (const n of WHO) {
    const found = await state.getAccount(address(n));
    reads.push(
      found && { nonce: found.nonce, balance: found.balance, code: await state.getCode(address(n)) },
    );
    for (const i of WHICH) reads.push(await state.getStorage(address(n), slot(i)));
  }
  return reads;
}

describe('a forked state against one that holds all', () => {
  it('reads the same after the same writes, stored in between or not', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { maxLength: 30 }),
        fc.array(fc.array(step, { maxLength: 12 }), { minLength: 1, maxLength: 4 }),
        fc.boolean(),
        async (before, folds, stores) => {
          const overlay = new Overlay(empty());
          await run(before, overlay);
          let whole = empty().fold(overlay.writes());
          const { remote } = told(whole);
          const source = new MemorySource();
          let forked = new ForkedState(TrieState.at(source, EMPTY_ROOT), remote);
          for (const steps of folds) {
            const [one, other] = [new Overlay(whole), new Overlay(forked)];
            await run(steps, one);
            await run(steps, other);
            expect(await readsOf(other)).toEqual(await readsOf(one));
            whole = whole.fold(one.writes());
            forked = forked.fold(other.writes());
            if (stores) {
              source.store(forked.unstored());
              forked = new ForkedState(TrieState.at(source, forked.root), remote);
            }
            expect(await readsOf(forked)).toEqual(await readsOf(whole));
          }
        },
      ),
      { numRuns: runs(200) },
    );
  });
});
