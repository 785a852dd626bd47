import { pbkdf2Sync } from 'node:crypto';
import { Address, privateToAddress } from '@ethereumjs/util';
import { HDKey } from '@scure/bip32';
import { generateMnemonic, mnemonicToEntropy } from '@scure/bip39';
import { wordlist } from '@scure/bip39/wordlists/english.js';

/** The mnemonic of anvil and Hardhat. Its private keys are publicly known. */
export const DEFAULT_MNEMONIC = 'test test test test test test test test test test test junk';
/** BIP-44 path for Ethereum; the account's index is appended. */
export const DEFAULT_DERIVATION_PATH = "m/44'/60'/0'/0/";

export interface DevAccount {
  readonly address: Address;
  /** 32 bytes */
  readonly privateKey: Uint8Array;
}

/** What was derived last. A derivation takes 40 ms, and a test suite starts many nodes with the same accounts. */
let last: { words: string; path: string; parent: HDKey; accounts: DevAccount[] } | undefined;

/**
 * The dev accounts of a mnemonic (BIP-39, no passphrase).
 * @param options.path BIP-32 path of the accounts' parent, with or without a trailing slash
 * @throws Error that says what is wrong with the mnemonic or the path
 */
export function deriveAccounts(options: { mnemonic: string; path: string; count: number }): DevAccount[] {
  const words = checkMnemonic(options.mnemonic).join(' ');
  const path = checkPath(options.path);
  if (last?.words !== words || last.path !== path) {
    // The 2,048 PBKDF2 rounds of BIP-39 take 1 ms in OpenSSL and 40 ms in JavaScript.
    const seed = pbkdf2Sync(words, 'mnemonic', 2048, 64, 'sha512');
    last = { words, path, parent: HDKey.fromMasterSeed(seed).derive(path), accounts: [] };
  }
  const { parent, accounts } = last;
  while (accounts.length < options.count) {
    const privateKey = parent.deriveChild(accounts.length).privateKey!;
    accounts.push({ address: new Address(privateToAddress(privateKey)), privateKey });
  }
  return accounts.slice(0, options.count);
}

/** Numbers of words that BIP-39 allows. */
const LENGTHS: readonly number[] = [12, 15, 18, 21, 24];

/**
 * A new random mnemonic.
 * @throws Error for a number of words that BIP-39 doesn't allow
 */
export function randomMnemonic(words: number): string {
  if (!LENGTHS.includes(words)) throw new Error(`expected 12, 15, 18, 21 or 24 words, got ${words}`);
  return generateMnemonic(wordlist, (words / 3) * 32);
}

/**
 * Checks a mnemonic against BIP-39 and its English word list.
 * @returns the words
 * @throws Error naming the unknown word, the number of words, or the checksum
 */
export function checkMnemonic(mnemonic: string): string[] {
  const words = mnemonic.normalize('NFKD').trim().split(/\s+/);
  const unknown = words.find((word) => !wordlist.includes(word));
  if (unknown !== undefined)
    throw new Error(`the mnemonic's word '${unknown}' is not in the English word list of BIP-39`);
  if (!LENGTHS.includes(words.length))
    throw new Error(`a mnemonic has 12, 15, 18, 21 or 24 words, got ${words.length}`);
  try {
    mnemonicToEntropy(words.join(' '), wordlist);
  } catch {
    throw new Error("the mnemonic's checksum is wrong: its last word doesn't fit the others");
  }
  return words;
}

/**
 * @returns the path without a trailing slash
 * @throws Error when it isn't a BIP-32 path
 */
export function checkPath(path: string): string {
  const trimmed = path.replace(/\/$/, '');
  const steps = trimmed.split('/').slice(1);
  const fits = steps.every((step) => /^\d+'?$/.test(step) && Number.parseInt(step, 10) < 2 ** 31);
  if (!/^m(\/|$)/.test(trimmed) || !fits)
    throw new Error(`a derivation path looks like ${DEFAULT_DERIVATION_PATH}, got ${path}`);
  return trimmed;
}
