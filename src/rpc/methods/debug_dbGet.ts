import { hex } from '../codec/hex.ts';
import { data } from '../codec/values.ts';
import { defineMethod } from '../define-method.ts';

/** geth's prefix of the keys that code has */
const CODE = 'c'.charCodeAt(0);
const HASH_BYTES = 32;

/**
 * A value of geth's database: code by hash (also with prefix `c`), state trie nodes by hash; else null.
 * @returns bytes, or null
 * @geth geth answers an error for a key that is not there, and has entries of other kinds
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
