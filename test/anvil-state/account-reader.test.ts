import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readAccounts } from '../../src/anvil-state/accounts.ts';
import { JsonSlice } from '../../src/json-slice.ts';
import { hexKey } from '../../src/state/hex-key.ts';
import type { PackedAccounts } from '../../src/state/packed-accounts.ts';
import { turns } from '../../src/turns.ts';
import { runs } from '../fuzz.ts';

const read = (text: string) =>
  readAccounts(new JsonSlice(Buffer.from(text)), 'state.accounts', { pauses: turns });

interface Account {
  nonce: number | string;
  balance: string;
  code: string;
  storage: Record<string, string>;
}

const hexOf = (least: number, most: number) =>
  fc
    .array(fc.constantFrom(...'0123456789abcdefABCDEF'), { minLength: least, maxLength: most })
    .map((digits) => `0x${digits.join('')}`);
const account = fc.record<Account>({
  nonce: fc.oneof(fc.nat(), fc.maxSafeNat(), hexOf(1, 16)),
  balance: hexOf(1, 64),
  code: fc.uint8Array({ maxLength: 40 }).map((bytes) => `0x${Buffer.from(bytes).toString('hex')}`),
  storage: fc.dictionary(hexOf(1, 64), hexOf(1, 64), { maxKeys: 5 }),
});
const accounts = fc.dictionary(hexOf(40, 40), account, { maxKeys: 8 });

/** Ways of writing one and the same JSON. */
const layouts: ((value: Record<string, Account>) => string)[] = [
  (value) => JSON.stringify(value),
  (value) => JSON.stringify(value, null, '\t'),
  // Names with escapes, and members that nobody knows.
  (value) => JSON.stringify(value).replaceAll('"0x', '"\\u0030x'),
  (value) => JSON.stringify(value).replaceAll('"nonce"', '"\\u006eonce"'),
  (value) => JSON.stringify(value).replaceAll('{"nonce"', '{"other":{"nonce":[1,{}]},"nonce"'),
  // anvil's order isn't the only one.
  (value) =>
    JSON.stringify(
      Object.fromEntries(
        Object.entries(value).map(([at, { nonce, balance, code, storage }]) => [
          at,
          { storage, code, balance, nonce },
        ]),
      ),
    ),
];

function contentOf(packed: PackedAccounts) {
  const found: Record<string, object> = {};
  const storage: Record<string, Map<string, string>> = {};
  for (let record = 0; record < packed.size; record++) {
    const key = hexKey(packed.addressOf(record));
    const { nonce, balance, code, storage: slots } = packed.accountOf(record);
    if (!packed.isContinued(record)) storage[key] = new Map();
    for (const [slot, value] of slots) storage[key]!.set(hexKey(slot), hexKey(value));
    if (!packed.isContinued(record)) found[key] = { nonce, balance, code: Buffer.from(code).toString('hex') };
  }
  return { found, storage };
}

const wordOf = (value: string) => `0x${value.slice(2).toLowerCase().padStart(64, '0')}`;

describe('accounts of a state file', () => {
  test('are read in every layout as JSON.parse reads them', async () => {
    await fc.assert(
      fc.asyncProperty(accounts, fc.constantFrom(...layouts), async (value, write) => {
        const given = Object.entries(JSON.parse(write(value)) as Record<string, Account>);
        const { found, storage } = contentOf(await read(write(value)));
        for (const [at, { nonce, balance, code, storage: slots }] of given) {
          const key = at.toLowerCase();
          if (given.filter(([other]) => other.toLowerCase() === key).length > 1) continue;
          expect(found[key]).toEqual({ nonce: BigInt(nonce), balance: BigInt(balance), code: code.slice(2) });
          expect(storage[key]).toEqual(
            new Map(Object.entries(slots).map(([slot, word]) => [wordOf(slot), wordOf(word)])),
          );
        }
      }),
      { numRuns: runs(300) },
    );
  });

  test('of which one has a large storage are read in records of some slots', async () => {
    const slots = Object.fromEntries(
      Array.from({ length: 1_000 }, (_, i) => [`0x${i.toString(16)}`, `0x${(i + 1).toString(16)}`]),
    );
    const at = `0x${'ab'.repeat(20)}`;
    const packed = await read(
      JSON.stringify({ [at]: { nonce: 1, balance: '0x2', code: '0x60', storage: slots } }),
    );
    expect(packed.size).toBeGreaterThan(2);
    const { found, storage } = contentOf(packed);
    expect(found[at]).toEqual({ nonce: 1n, balance: 2n, code: '60' });
    expect(storage[at]!.get(wordOf('0x3e7'))).toBe(wordOf('0x3e8'));
    expect(storage[at]!.size).toBe(1_000);
  });

  test('without their fields have none', async () => {
    const at = `0x${'01'.repeat(20)}`;
    for (const text of [`{"${at}":{}}`, `{"${at}":{"nonce":null,"storage":null}}`])
      expect(contentOf(await read(text)).found[at]).toEqual({ nonce: 0n, balance: 0n, code: '' });
    expect((await read(' { } ')).size).toBe(0);
  });

  const at = `0x${'01'.repeat(20)}`;
  test.each([
    [`{"${at}":{"nonce":-1}}`, /state\.accounts\.0x(01){20}\.nonce/],
    [`{"${at}":{"nonce":1.5}}`, /\.nonce/],
    [`{"${at}":{"nonce":1e3}} `, undefined],
    [`{"${at}":{"nonce":"0x1${'0'.repeat(16)}"}}`, /64 bits/],
    [`{"${at}":{"balance":"0x"}}`, /\.balance/],
    [`{"${at}":{"balance":"0x1${'0'.repeat(64)}"}}`, /\.balance/],
    [`{"${at}":{"code":"0x123"}}`, /\.code/],
    [`{"${at}":{"storage":{"0x1":"0x"}}}`, /\.storage/],
    [`{"${at.slice(0, -1)}":{}}`, /key of state\.accounts/],
    [`{"${at}":{}`, /unexpected end|expected/],
    [`{"${at}":{},}`, /expected|JSON/],
    [`{"${at}":{"nonce":01}}`, /JSON|Unexpected/],
    [`{"${at}":{}} x`, /expected the end/],
  ])('that are written %s are refused by what is wrong', async (text, expected) => {
    if (expected) await expect(read(text)).rejects.toThrow(expected);
    else expect((await read(text)).accountOf(0).nonce).toBe(1_000n);
  });
});
