import { keccak256 } from '../../state/keccak.ts';
import { hex } from '../codec/hex.ts';
import { data } from '../codec/values.ts';
import { defineMethod } from '../define-method.ts';

/**
 * Returns the keccak256 hash of bytes.
 * @returns 32 bytes
 */
export const web3_sha3 = defineMethod({
  kind: 'read',
  params: [data],
  handler: (_, bytes) => hex(keccak256(bytes)),
});
