import { MerkleStateManager } from '@ethereumjs/statemanager';
import { Account, bytesToHex } from '@ethereumjs/util';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { EMPTY_ROOT, NEW_ACCOUNT } from '../../src/state/account.ts';
import { CachedSource, MemorySource } from '../../src/state/node-cache.ts';
import { Overlay } from '../../src/state/overlay.ts';
import { TrieState } from '../../src/state/trie-state.ts';
import { runs } from '../fuzz.ts';
import { address, slot } from './view-contract.ts';

const who = fc.nat(5);
const which = fc.nat(6);
const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ op: fc.constant('put' as const), who, nonce: fc.nat(3), balance: fc.nat(3) }),
  },
  {
    weight: 8,
    arbitrary: fc.record({
      op: fc.constant('store' as const),
      who,
      which,
      value: fc.oneof(fc.constant(new Uint8Array(0)), fc.uint8Array({ minLength: 1, maxLength: 32 })),
    }),
  },
  { weight: 2, arbitrary: fc.record({ op: fc.constant('delete' as const), who }) },
  { weight: 1, arbitrary: fc.record({ op: fc.constant('clear' as const), who }) },
  { weight: 1, arbitrary: fc.record({ op: fc.constant('recreate' as const), who, which }) },
  { weight: 2, arbitrary: fc.record({ op: fc.constant('code' as const), who, byte: fc.nat(3) }) },
  { weight: 3, arbitrary: fc.constant({ op: 'checkpoint' as const }) },
  { weight: 2, arbitrary: fc.constant({ op: 'commit' as const }) },
  { weight: 2, arbitrary: fc.constant({ op: 'revert' as const }) },
  { weight: 1, arbitrary: fc.constant({ op: 'child' as const }) },
);
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

function stripped(value: Uint8Array): Uint8Array {
  const first = value.findIndex((byte) => byte !== 0);
  return first < 0 ? new Uint8Array(0) : value.slice(first);
}

/** The same step on both; `depth` counts the open checkpoints. */
async function run(all: readonly Step[], overlay: Overlay, library: MerkleStateManager): Promise<Overlay> {
  let depth = 0;
  let at = overlay;
  for (const s of all) {
    if (s.op === 'checkpoint') {
      depth++;
      at.checkpoint();
      await library.checkpoint();
    } else if (s.op === 'commit' || s.op === 'revert') {
      if (depth === 0) continue;
      depth--;
      at[s.op]();
      await library[s.op]();
    } else if (s.op === 'child') {
      if (at === overlay) {
        if (depth === 0) at = new Overlay(overlay);
      } else if (depth === 0) {
        overlay.apply(at.writes());
        at = overlay;
      }
    } else await write(s, at, library);
  }
  for (; depth > 0; depth--) {
    at.commit();
    await library.commit();
  }
  if (at !== overlay) overlay.apply(at.writes());
  return overlay;
}

async function write(
  s: Exclude<Step, { op: 'checkpoint' | 'commit' | 'revert' | 'child' }>,
  overlay: Overlay,
  library: MerkleStateManager,
): Promise<void> {
  const a = address(s.who);
  const known = await library.getAccount(a);
  if (s.op === 'put') {
    const account = known ?? new Account();
    account.nonce = BigInt(s.nonce);
    account.balance = BigInt(s.balance);
    await library.putAccount(a, account);
    overlay.setAccount(a, { nonce: account.nonce, balance: account.balance, codeHash: account.codeHash });
  } else if (s.op === 'code') {
    const code = Uint8Array.of(0x60, s.byte);
    await library.putCode(a, code);
    await overlay.setCode(a, code);
  } else if (known === undefined) {
    return;
  } else if (s.op === 'store') {
    await library.putStorage(a, slot(s.which), stripped(s.value));
    overlay.setStorage(a, slot(s.which), s.value);
  } else if (s.op === 'clear') {
    await library.clearStorage(a);
    overlay.clearStorage(a);
  } else {
    // Without this the library, asked to delete, keeps the storage trie for an account created there again.
    await library.clearStorage(a);
    await library.deleteAccount(a);
    overlay.setAccount(a, undefined);
    if (s.op === 'delete') return;
    await library.putAccount(a, new Account());
    overlay.setAccount(a, NEW_ACCOUNT);
    await library.putStorage(a, slot(s.which), Uint8Array.of(1));
    overlay.setStorage(a, slot(s.which), Uint8Array.of(1));
  }
}

async function expectSameReads(view: Overlay | TrieState, library: MerkleStateManager): Promise<void> {
  for (let n = 0; n <= 5; n++) {
    const a = address(n);
    const [mine, theirs] = [await view.getAccount(a), await library.getAccount(a)];
    expect(mine === undefined).toBe(theirs === undefined);
    if (!mine || !theirs) continue;
    expect(mine).toMatchObject({ nonce: theirs.nonce, balance: theirs.balance });
    expect(await view.getCode(a)).toEqual(await library.getCode(a));
    for (let i = 0; i <= 6; i++)
      expect(await view.getStorage(a, slot(i))).toEqual(stripped(await library.getStorage(a, slot(i))));
  }
}

describe('overlay and fold against the library state manager', () => {
  it('have the same roots and reads after every fold, stored in between or not', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(step, { maxLength: 40 }), { minLength: 1, maxLength: 4 }),
        fc.constantFrom('never', 'each time', 'every other time', 'and held'),
        async (folds, store) => {
          const memory = new MemorySource();
          const source = new CachedSource({ maxNodes: 8 }, memory);
          const library = new MerkleStateManager();
          let state = TrieState.at(source, EMPTY_ROOT);
          const versions: [TrieState, string][] = [];
          for (const [i, steps] of folds.entries()) {
            const overlay = await run(steps, new Overlay(state), library);
            await expectSameReads(overlay, library);
            state = state.fold(overlay.writes());
            const root = bytesToHex(await library.getStateRoot());
            expect(bytesToHex(state.root)).toBe(root);
            await expectSameReads(state, library);
            if (store === 'each time' || (store === 'every other time' && i % 2 === 1)) {
              memory.store(state.unstored());
              state = TrieState.at(source, state.root);
            } else if (store === 'and held') {
              memory.store(state.unstored());
              state = state.asStored(source);
              const { nodes, code } = state.unstored();
              expect([...nodes, ...code]).toEqual([]);
              await expectSameReads(TrieState.at(memory, state.root), library);
            }
            versions.push([state, root]);
          }
          for (const [version, root] of versions) expect(bytesToHex(version.root)).toBe(root);
          memory.store(state.unstored());
          await expectSameReads(TrieState.at(memory, state.root), library);
        },
      ),
      { numRuns: runs(80) },
    );
  });
});
