import { hex } from '../codec/hex.ts';
import { data } from '../codec/values.ts';
import { defineMethod } from '../define-method.ts';

/** geth's prefix of the keys that code has */
const CODE = 'c'.charCodeAt(0);
const HASH_BYTES = 32;

/**
 * The value of a key in geth's database layout: code under its hash, with or without the prefix `c`, and state trie
 * nodes under their hashes. null when there is none.
 */
export const debug_dbGet = defineMethod({
  kind: 'read',
  params: [data],
  handler: ({ database }, key) => {
    const isCode = key.length === HASH_BYTES + 1 && key[0] === CODE;
    if (!isCode && key.length !== HASH_BYTES) return null;
    const hash = isCode ? key.subarray(1) : key;
    const value = database.getCode(hash) ?? (isCode ? undefined : database.getNode(hash));
    return value ? hex(value) : null;
  },
});
