/** Shared by all calls: each one reads its result before the next one writes. */
const scratch = Buffer.alloc(32);

/**
 * `0x` hex of an address, a slot or a hash: the result of `bytesToHex` in half the time. Every read and write of
 * state makes such a key.
 * @param bytes at most 32 bytes
 */
export function hexKey(bytes: Uint8Array): string {
  scratch.set(bytes);
  return `0x${scratch.toString('hex', 0, bytes.length)}`;
}
