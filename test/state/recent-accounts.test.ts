import { expect, it } from 'vitest';
import { NEW_ACCOUNT } from '../../src/state/account.ts';
import { RecentAccounts } from '../../src/state/recent-accounts.ts';
import type { AccountState, StateWrites } from '../../src/state/view.ts';

const account = (balance: bigint): AccountState => ({ ...NEW_ACCOUNT, balance });
const written = (entries: Record<string, AccountState | undefined>): StateWrites => ({
  accounts: new Map(Object.entries(entries)),
  storage: new Map(),
  code: new Map(),
});
const later = (recent: RecentAccounts, entries: Record<string, AccountState | undefined>) => {
  const writes = written(entries);
  return recent.after([writes], () => writes.accounts);
};

it('has what was read, and what later blocks wrote', () => {
  const first = new RecentAccounts();
  first.add('0xa', account(1n));
  first.add('0xb', account(2n));
  const second = later(first, { '0xb': account(3n), '0xc': account(4n) });
  expect(second.get('0xa')).toEqual(account(1n));
  expect(second.get('0xb')).toEqual(account(3n));
  expect(second.get('0xc')).toEqual(account(4n));
});

it('knows that an account is gone', () => {
  const first = new RecentAccounts();
  first.add('0xa', account(1n));
  const second = later(first, { '0xa': undefined });
  expect(second.get('0xa')).toBeUndefined();
  expect(second.has('0xa')).toBe(true);
});

it('says nothing of slots that were written, as these change the root of the storage', () => {
  const first = new RecentAccounts();
  first.add('0xa', account(1n));
  const slots = { cleared: false, slots: new Map([['0x01', Uint8Array.of(1)]]) };
  const writes: StateWrites = { ...written({}), storage: new Map([['0xa', slots]]) };
  const second = first.after([writes], () => writes.accounts);
  expect(second.get('0xa')).toBeUndefined();
  expect(second.has('0xa')).toBe(false);
});

it('leaves nothing to the earlier state, whose accounts are other ones', () => {
  const first = new RecentAccounts();
  first.add('0xa', account(1n));
  const second = later(first, { '0xa': account(2n) });
  expect(first.has('0xa')).toBe(false);
  first.add('0xa', account(1n));
  expect(second.get('0xa')).toEqual(account(2n));
  expect(first.get('0xa')).toEqual(account(1n));
});

it('looks at the writes of a block only when an account is asked for, and forgets when too many wait', () => {
  let looks = 0;
  let recent = new RecentAccounts();
  recent.add('0xa', account(1n));
  for (let block = 0n; block < 100n; block++) {
    const writes = written({ '0xb': account(block) });
    recent = recent.after([writes], () => {
      looks++;
      return writes.accounts;
    });
  }
  expect(looks).toBe(0);
  expect(recent.isCurrent).toBe(false);
  expect(recent.get('0xb')).toEqual(account(99n));
  expect(recent.isCurrent).toBe(true);
  expect(looks).toBeLessThanOrEqual(16);
  expect(recent.has('0xa')).toBe(false);
});
