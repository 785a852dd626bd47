import { createECDH, createHmac, pbkdf2Sync } from 'node:crypto';
import {
  Address,
  bigIntToBytes,
  bytesToBigInt,
  concatBytes,
  pubToAddress,
  setLengthLeft,
} from '@ethereumjs/util';
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

/** The cryptography of keys and addresses. Where a part is absent, OpenSSL's curve and keccak in JavaScript are used. */
export interface KeyCrypto {
  /** @returns the uncompressed public key, 65 bytes */
  readonly publicKeyOf?: (privateKey: Uint8Array) => Uint8Array;
  readonly keccak256?: (data: Uint8Array) => Uint8Array;
}

/**
 * The dev accounts of a mnemonic (BIP-39, no passphrase; BIP-32).
 * @param options.path BIP-32 path of the accounts' parent, with or without a trailing slash
 * @param crypto faster than its defaults, which take 10 ms for ten accounts
 * @throws Error that says what is wrong with the mnemonic or the path
 */
export function deriveAccounts(
  options: { mnemonic: string; path: string; count: number },
  { publicKeyOf = openSslPublicKey, keccak256 }: KeyCrypto = {},
): DevAccount[] {
  const words = checkMnemonic(options.mnemonic);
  const path = checkPath(options.path);
  // The 2,048 PBKDF2 rounds of BIP-39 take 1 ms in OpenSSL and 40 ms in JavaScript.
  const seed = pbkdf2Sync(words.join(' '), 'mnemonic', 2048, 64, 'sha512');
  const parent = path
    .split('/')
    .slice(1)
    .map((step) => Number.parseInt(step, 10) + (step.endsWith("'") ? HARDENED : 0))
    .reduce((key, index) => childKey(key, index, publicKeyOf), splitKey('Bitcoin seed', seed));
  return Array.from({ length: options.count }, (_, index) => {
    const { privateKey } = childKey(parent, index, publicKeyOf);
    const publicKey = publicKeyOf(privateKey).subarray(1);
    const address = keccak256 ? keccak256(publicKey).subarray(12) : pubToAddress(publicKey);
    return { address: new Address(address), privateKey };
  });
}

let last: { readonly asked: string; readonly accounts: DevAccount[] } | undefined;

/** Like {@link deriveAccounts}, whose last result it remembers: a process that makes many chains mostly asks for the same. */
export function devAccounts(...[options, crypto]: Parameters<typeof deriveAccounts>): DevAccount[] {
  const asked = JSON.stringify([options.mnemonic, options.path, options.count]);
  if (last?.asked !== asked) last = { asked, accounts: deriveAccounts(options, crypto) };
  return last.accounts;
}

/** A private key of BIP-32 from which others derive; 32 bytes each. */
interface ExtendedKey {
  readonly privateKey: Uint8Array;
  readonly chainCode: Uint8Array;
}

/** Indexes from here on derive from the private key, those below from the public key. */
const HARDENED = 2 ** 31;
/** of secp256k1 */
const CURVE_ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;

function childKey(
  { privateKey, chainCode }: ExtendedKey,
  index: number,
  publicKeyOf: NonNullable<KeyCrypto['publicKeyOf']>,
): ExtendedKey {
  const from =
    index < HARDENED ? compressed(publicKeyOf(privateKey)) : concatBytes(Uint8Array.of(0), privateKey);
  const child = splitKey(chainCode, concatBytes(from, setLengthLeft(bigIntToBytes(BigInt(index)), 4)));
  const sum = (bytesToBigInt(child.privateKey) + bytesToBigInt(privateKey)) % CURVE_ORDER;
  return { ...child, privateKey: setLengthLeft(bigIntToBytes(sum), 32) };
}

function splitKey(key: string | Uint8Array, data: Uint8Array): ExtendedKey {
  const hash = new Uint8Array(createHmac('sha512', key).update(data).digest());
  return { privateKey: hash.subarray(0, 32), chainCode: hash.subarray(32) };
}

/** SEC 1: x after a byte that says whether y is odd. */
function compressed(publicKey: Uint8Array): Uint8Array {
  return concatBytes(Uint8Array.of(2 + (publicKey[64]! & 1)), publicKey.subarray(1, 33));
}

function openSslPublicKey(privateKey: Uint8Array): Uint8Array {
  const curve = createECDH('secp256k1');
  curve.setPrivateKey(privateKey);
  return new Uint8Array(curve.getPublicKey());
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
