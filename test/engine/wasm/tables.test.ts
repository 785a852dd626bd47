import { bytesToHex, setLengthLeft } from '@ethereumjs/util';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { EMPTY_ROOT } from '../../../src/state/account.ts';
import { type GenesisAccount, genesisWrites } from '../../../src/state/genesis.ts';
import { integerBytes } from '../../../src/state/integers.ts';
import { MemorySource } from '../../../src/state/node-cache.ts';
import { TrieState } from '../../../src/state/trie-state.ts';
import { runs } from '../../fuzz.ts';
import { executorOf, writeAlloc } from './executors.ts';

const addressOf = (n: number) => `0x${(n + 0x10000).toString(16).padStart(40, '0')}`;
const slotOf = (n: number) => bytesToHex(setLengthLeft(integerBytes(BigInt(n)), 32));

/** The state root that the node's own trie makes of accounts. */
function rootOf(alloc: ReadonlyMap<string, GenesisAccount>): string {
  return bytesToHex(TrieState.at(new MemorySource(), EMPTY_ROOT).fold(genesisWrites(alloc)).root);
}

const slots = (entries: readonly (readonly [number, number])[]) =>
  new Map(entries.map(([slot, value]) => [slotOf(slot), integerBytes(BigInt(value))]));

describe('tables and tries', () => {
  it('grow, and come back empty', () => {
    const executor = executorOf('cancun');
    const many = Array.from({ length: 20_000 }, (_, i) => i);
    const alloc = new Map<string, GenesisAccount>(
      many.map((n) => [addressOf(n), { balance: BigInt(n + 1) }]),
    );
    alloc.set(addressOf(-1), { balance: 1n, storage: slots(many.map((n) => [n, n + 1])) });
    const start = executor.core.mark();
    writeAlloc(executor, alloc);
    expect(bytesToHex(executor.stateRoot())).toBe(rootOf(alloc));
    executor.core.revertTo(start);
    expect(bytesToHex(executor.stateRoot())).toBe(bytesToHex(EMPTY_ROOT));
  });

  it('a leaf of less than 32 bytes stands in its branch in place of its hash', () => {
    const executor = executorOf('cancun');
    // The hashes of each two of these slots have nine nibbles in common, so their leaves have short paths.
    const pairs = [247_476, 515_151, 268_005, 645_179, 525_905, 705_297];
    const account = executor.account(1n);
    executor.setNonce(account, 1n);
    for (const value of [1, 127, 128, 70_000, 5]) {
      for (const slot of pairs) executor.setSlot(account, BigInt(slot), BigInt(value));
      const storage = slots(pairs.map((slot) => [slot, value]));
      const alloc = new Map([[`0x${'1'.padStart(40, '0')}`, { balance: 0n, nonce: 1n, storage }]]);
      expect(bytesToHex(executor.stateRoot())).toBe(rootOf(alloc));
    }
  });

  it('any writes and reverts give the root of what is left', () => {
    const executor = executorOf('cancun');
    const small = fc.integer({ min: 0, max: 40 });
    const write = fc.record({ account: small, slot: small, value: fc.integer({ min: 0, max: 3 }) });
    const step = fc.record({
      writes: fc.array(write, { maxLength: 25 }),
      keep: fc.boolean(),
      look: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(step, { minLength: 1, maxLength: 8 }), (steps) => {
        const start = executor.core.mark();
        let kept = new Map<string, number>();
        for (const { writes, keep, look } of steps) {
          const mark = executor.core.mark();
          const tried = new Map(kept);
          for (const { account, slot, value } of writes) {
            const entry = executor.account(BigInt(account + 0x10000));
            executor.setNonce(entry, 1n);
            executor.setSlot(entry, BigInt(slot), BigInt(value));
            tried.set(`${account}:${slot}`, value);
          }
          // A fold in between must not lose what a later revert changes.
          if (look) executor.stateRoot();
          if (keep) kept = tried;
          else executor.core.revertTo(mark);
          expect(bytesToHex(executor.stateRoot())).toBe(rootOf(allocOf(kept)));
        }
        executor.core.revertTo(start);
        expect(bytesToHex(executor.stateRoot())).toBe(bytesToHex(EMPTY_ROOT));
      }),
      { numRuns: runs(16) },
    );
  });
});

function allocOf(values: ReadonlyMap<string, number>): Map<string, GenesisAccount> {
  const byAccount = new Map<string, [number, number][]>();
  for (const [key, value] of values) {
    const [account, slot] = key.split(':').map(Number) as [number, number];
    const list = byAccount.get(addressOf(account)) ?? [];
    byAccount.set(addressOf(account), list);
    if (value > 0) list.push([slot, value]);
  }
  return new Map(
    [...byAccount].map(([address, list]) => [address, { balance: 0n, nonce: 1n, storage: slots(list) }]),
  );
}
