import { keccak256 } from '../../state/keccak.ts';
import { data } from '../codecs.ts';
import { defineMethod } from '../define-method.ts';
import { hex } from '../hex.ts';

/** keccak256 of bytes. */
export const web3_sha3 = defineMethod({
  name: 'web3_sha3',
  params: [data],
  handler: (_, bytes) => hex(keccak256(bytes)),
});
