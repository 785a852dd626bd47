import { concatBytes, utf8ToBytes } from '@ethereumjs/util';
import { keccak256 } from '../../state/keccak.ts';

/** The hash that `personal_sign` and `eth_sign` sign (EIP-191, version 0x45). */
export function messageHash(message: Uint8Array): Uint8Array {
  return keccak256(concatBytes(utf8ToBytes(`\x19Ethereum Signed Message:\n${message.length}`), message));
}
