import { equalsBytes, hexToBytes } from '@ethereumjs/util';
import { integerBytes, integerOf } from './integers.ts';
import { encodeStrings, readItem, stringSize, writeString } from './rlp-items.ts';
import type { AccountState } from './view.ts';

/** keccak256 of no bytes */
export const EMPTY_CODE_HASH = hexToBytes(
  '0xc5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470',
);
/** Root of a trie without entries: keccak256 of the RLP of the empty string */
export const EMPTY_ROOT = hexToBytes('0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421');
/** The code of an account without code, the value of a zero slot */
export const EMPTY_BYTES = new Uint8Array(0);
/** The largest balance, in wei: no node can decode an account leaf with a larger one. */
export const MAX_BALANCE = 2n ** 256n - 1n;
/** 32 zero bytes */
export const ZERO_HASH = new Uint8Array(32);

/** The fields of a new account. */
export const NEW_ACCOUNT: AccountState = {
  nonce: 0n,
  balance: 0n,
  codeHash: EMPTY_CODE_HASH,
  storageRoot: EMPTY_ROOT,
};

export function hasCode(account: AccountState): boolean {
  return account.codeHash !== EMPTY_CODE_HASH && !equalsBytes(account.codeHash, EMPTY_CODE_HASH);
}

/** The account's value in the state trie: RLP (yellow paper 4.1). */
export function encodeAccount(account: AccountState): Uint8Array {
  return encodeStrings([
    integerBytes(account.nonce),
    integerBytes(account.balance),
    account.storageRoot,
    account.codeHash,
  ]);
}

/** The fields of an account as they are in its RLP: integers are big-endian, without leading zeros. */
export interface AccountItems {
  readonly nonce: Uint8Array;
  readonly balance: Uint8Array;
  readonly storageRoot: Uint8Array;
  readonly codeHash: Uint8Array;
}

/** The items of the list that {@link encodeAccount} returned. */
export function accountItems(leaf: Uint8Array): AccountItems {
  const nonce = readItem(leaf, readItem(leaf, 0).start);
  const balance = readItem(leaf, nonce.end);
  const root = readItem(leaf, balance.end);
  const code = readItem(leaf, root.end);
  return {
    nonce: leaf.subarray(nonce.start, nonce.end),
    balance: leaf.subarray(balance.start, balance.end),
    storageRoot: leaf.subarray(root.start, root.end),
    codeHash: leaf.subarray(code.start, code.end),
  };
}

/** Inverse of {@link encodeAccount}. */
export function decodeAccount(leaf: Uint8Array): AccountState {
  const { nonce, balance, storageRoot, codeHash } = accountItems(leaf);
  return {
    nonce: integerOf(nonce),
    balance: integerOf(balance),
    // Uses these constants so that later comparisons succeed by reference.
    storageRoot: equalsBytes(storageRoot, EMPTY_ROOT) ? EMPTY_ROOT : storageRoot,
    codeHash: equalsBytes(codeHash, EMPTY_CODE_HASH) ? EMPTY_CODE_HASH : codeHash,
  };
}

/** A slot's value in the storage trie: an RLP string. */
export function encodeSlot(value: Uint8Array): Uint8Array {
  const leaf = new Uint8Array(stringSize(value));
  writeString(leaf, 0, value);
  return leaf;
}

/** Inverse of {@link encodeSlot}. */
export function decodeSlot(leaf: Uint8Array): Uint8Array {
  const { start, end } = readItem(leaf, 0);
  return leaf.subarray(start, end);
}

/** A copy of a storage value without leading zeros, as the trie stores it. */
export function stripZeros(value: Uint8Array): Uint8Array {
  let start = 0;
  while (start < value.length && value[start] === 0) start++;
  return start === value.length ? EMPTY_BYTES : value.slice(start);
}
