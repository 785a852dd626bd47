/** Splits bytes into nibbles, high nibble first, one in each byte of the result: the form of trie paths. */
export function toNibbles(key: Uint8Array): Uint8Array {
  const nibbles = new Uint8Array(key.length * 2);
  for (let i = 0; i < key.length; i++) {
    nibbles[2 * i] = key[i]! >> 4;
    nibbles[2 * i + 1] = key[i]! & 15;
  }
  return nibbles;
}

/** Inverse of {@link toNibbles}. @param nibbles an even number of them */
export function fromNibbles(nibbles: ArrayLike<number>): Uint8Array {
  const key = new Uint8Array(nibbles.length / 2);
  for (let i = 0; i < key.length; i++) key[i] = (nibbles[2 * i]! << 4) | nibbles[2 * i + 1]!;
  return key;
}

/** Length of the common prefix of `path` and of `key` from `depth` on. */
export function commonLength(path: Uint8Array, key: Uint8Array, depth: number): number {
  const end = Math.min(path.length, key.length - depth);
  let i = 0;
  while (i < end && path[i] === key[depth + i]) i++;
  return i;
}

/** Hex-prefix encoding (yellow paper, appendix C): the flags and the path as bytes. */
export function encodePath(path: Uint8Array, leaf: boolean): Uint8Array {
  const odd = path.length & 1;
  const bytes = new Uint8Array((path.length >> 1) + 1);
  bytes[0] = (leaf ? 0x20 : 0) | (odd ? 0x10 | path[0]! : 0);
  for (let i = odd, at = 1; i < path.length; i += 2) bytes[at++] = (path[i]! << 4) | path[i + 1]!;
  return bytes;
}

/** Inverse of {@link encodePath}. */
export function decodePath(bytes: Uint8Array): { path: Uint8Array; leaf: boolean } {
  const flags = bytes[0]! >> 4;
  const nibbles = toNibbles(bytes);
  return { path: nibbles.subarray(flags & 1 ? 1 : 2), leaf: (flags & 2) !== 0 };
}
