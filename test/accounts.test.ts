import { bytesToHex, privateToAddress } from '@ethereumjs/util';
import { HDKey } from '@scure/bip32';
import { entropyToMnemonic, generateMnemonic, mnemonicToSeedSync } from '@scure/bip39';
import { wordlist } from '@scure/bip39/wordlists/english.js';
import fc from 'fast-check';
import { mnemonicToAccount } from 'viem/accounts';
import { expect, it } from 'vitest';
import {
  checkMnemonic,
  checkPath,
  DEFAULT_DERIVATION_PATH,
  DEFAULT_MNEMONIC,
  deriveAccounts,
} from '../src/accounts.ts';
import { loadCrypto } from '../src/protocol/crypto.ts';
import { runs } from './fuzz.ts';

const derive = (mnemonic: string, path = DEFAULT_DERIVATION_PATH, count = 3) =>
  deriveAccounts({ mnemonic, path, count });

it("the default accounts are anvil's", () => {
  const accounts = derive(DEFAULT_MNEMONIC, DEFAULT_DERIVATION_PATH, 10);
  expect(accounts).toHaveLength(10);
  expect(accounts[0]!.address.toString()).toBe('0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266');
  expect(bytesToHex(accounts[0]!.privateKey)).toBe(
    '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80',
  );
  expect(accounts[9]!.address.toString()).toBe('0xa0ee7a142d267c1f36714e4a8f75612f20a79720');
});

it.each([128, 256])('a mnemonic of %s bits gives what scure and viem give', (strength) => {
  const mnemonic = generateMnemonic(wordlist, strength);
  const root = HDKey.fromMasterSeed(mnemonicToSeedSync(mnemonic));
  for (const [i, account] of derive(mnemonic).entries()) {
    expect(bytesToHex(account.privateKey)).toBe(bytesToHex(root.derive(`m/44'/60'/0'/0/${i}`).privateKey!));
    expect(account.address.toString()).toBe(
      mnemonicToAccount(mnemonic, { addressIndex: i }).address.toLowerCase(),
    );
  }
});

it.each([
  ['OpenSSL', async () => ({})],
  ['the native addon', () => loadCrypto('native')],
])('%s derives what scure derives, from random seeds by random paths', async (_, load) => {
  const crypto = await load();
  const step = fc.tuple(fc.integer({ min: 0, max: 2 ** 31 - 1 }), fc.constantFrom("'", ''));
  fc.assert(
    fc.property(
      fc.uint8Array({ minLength: 16, maxLength: 16 }),
      fc.array(step, { maxLength: 6 }),
      (entropy, steps) => {
        const mnemonic = entropyToMnemonic(entropy, wordlist);
        const path = ['m', ...steps.map(([index, hardened]) => `${index}${hardened}`)].join('/');
        const parent = HDKey.fromMasterSeed(mnemonicToSeedSync(mnemonic)).derive(path);
        const accounts = deriveAccounts({ mnemonic, path, count: 3 }, crypto);
        const privateKeys = [0, 1, 2].map((index) => parent.deriveChild(index).privateKey!);
        expect(accounts.map(({ privateKey }) => privateKey)).toEqual(privateKeys);
        expect(accounts.map(({ address }) => address.bytes)).toEqual(privateKeys.map(privateToAddress));
      },
    ),
    { numRuns: runs(10) },
  );
});

it('another path gives other accounts, with and without its last slash', () => {
  const [first] = derive(DEFAULT_MNEMONIC, "m/44'/1'/0'/0");
  expect(first).toEqual(derive(DEFAULT_MNEMONIC, "m/44'/1'/0'/0/")[0]);
  expect(first).not.toEqual(derive(DEFAULT_MNEMONIC)[0]);
});

it('says what is wrong with a mnemonic', () => {
  expect(() => checkMnemonic(DEFAULT_MNEMONIC.replace('junk', 'jnuk'))).toThrow(/'jnuk' is not in/);
  expect(() => checkMnemonic('test test junk')).toThrow(/got 3/);
  expect(() => checkMnemonic(DEFAULT_MNEMONIC.replace('junk', 'test'))).toThrow(/checksum/);
  expect(checkMnemonic(`  ${DEFAULT_MNEMONIC.replaceAll(' ', '\n')} `)).toHaveLength(12);
});

it.each(['', '44/60', 'm/x', "m/44''", 'm//0', 'm/2147483648'])('refuses the path %j', (path) => {
  expect(() => checkPath(path)).toThrow(/derivation path/);
});
