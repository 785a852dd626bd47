import { hex } from '../codec/hex.ts';
import { data } from '../codec/values.ts';
import { defineMethod } from '../define-method.ts';

/** geth's database prefix for code */
const CODE = 'c'.charCodeAt(0);
const HASH_BYTES = 32;

/**
 * Returns a value of geth's database: code by its hash (with or without the prefix `c`), or a state trie node by its hash. Returns null for
 * other keys.
 * @returns bytes, or null
 * @geth geth returns an error for a key that doesn't exist, and has other kinds of entries
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
