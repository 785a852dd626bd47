import { bytesToHex } from '@ethereumjs/util';
import { HDKey } from '@scure/bip32';
import { generateMnemonic, mnemonicToSeedSync } from '@scure/bip39';
import { wordlist } from '@scure/bip39/wordlists/english.js';
import { mnemonicToAccount } from 'viem/accounts';
import { expect, it } from 'vitest';
import {
  checkMnemonic,
  checkPath,
  DEFAULT_DERIVATION_PATH,
  DEFAULT_MNEMONIC,
  deriveAccounts,
} from '../src/accounts.ts';

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

it('gives the same accounts in any order of calls: fewer, more, and others in between', () => {
  const other = generateMnemonic(wordlist);
  const of = (mnemonic: string) => (path: string, count: number) => {
    const root = HDKey.fromMasterSeed(mnemonicToSeedSync(mnemonic));
    const keys = Array.from({ length: count }, (_, i) => root.derive(`${path}/${i}`).privateKey!);
    const derived = derive(mnemonic, path, count).map(({ privateKey }) => privateKey);
    expect(derived.map((key) => bytesToHex(key))).toEqual(keys.map((key) => bytesToHex(key)));
  };
  for (const count of [2, 4, 1]) {
    of(DEFAULT_MNEMONIC)("m/44'/60'/0'/0", count);
    of(DEFAULT_MNEMONIC)('m/1', count);
    of(DEFAULT_MNEMONIC)('m/1', count + 1);
    of(other)('m/1', count);
  }
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
