import { concatBytes } from '@ethereumjs/util';

/**
 * Signs a hash with secp256k1. Deterministic (RFC 6979).
 * @param hash 32 bytes
 * @param privateKey 32 bytes
 * @returns r, s and v (27 or 28), 65 bytes
 */
export async function signHash(hash: Uint8Array, privateKey: Uint8Array): Promise<Uint8Array> {
  const { signRecoverable } = await import('tiny-secp256k1');
  const { signature, recoveryId } = signRecoverable(hash, privateKey);
  return concatBytes(signature, Uint8Array.of(27 + recoveryId));
}
