/** Shared: a key is read out before the next one is made. */
const scratch = Buffer.alloc(32);

/**
 * `0x` hex of an address, a slot or a hash, as `bytesToHex` gives it and in half the time: each read and write of state
 * makes such a key.
 * @param bytes 32 at most
 */
export function hexKey(bytes: Uint8Array): string {
  scratch.set(bytes);
  return `0x${scratch.toString('hex', 0, bytes.length)}`;
}
