import { commonLength, decodePath } from './nibbles.ts';
import { readItem } from './rlp-items.ts';
import { encodedNode, type NodeSource } from './trie-node.ts';

/**
 * Finds the value of a key below a stored node. Reads only the path's child in the RLP of each node: decoding whole nodes takes several
 * times as long.
 * @param hash hash of the node
 * @param path nibbles of the key; the first `depth` of them lead to the node
 * @param onNode receives the RLP of each node on the path, except embedded ones
 * @throws Error naming the hash if a node is missing in the source
 */
export function storedValue(
  source: NodeSource,
  hash: Uint8Array,
  path: Uint8Array,
  depth: number,
  onNode?: (encoded: Uint8Array) => void,
): Uint8Array | undefined {
  let bytes = encodedNode(source, hash);
  onNode?.(bytes);
  let node = readItem(bytes, 0);
  for (let at = depth; ; ) {
    const second = endOf(bytes, node.start);
    let child = second;
    if (endOf(bytes, second) === node.end) {
      const first = readItem(bytes, node.start);
      const { path: part, leaf } = decodePath(bytes.subarray(first.start, first.end));
      if (commonLength(part, path, at) < part.length) return undefined;
      at += part.length;
      if (leaf) return at === path.length ? payload(bytes, second) : undefined;
    } else {
      const isHere = at === path.length;
      const index = isHere ? 16 : path[at++]!;
      child = node.start;
      for (let i = 0; i < index; i++) child = endOf(bytes, child);
      if (isHere) return bytes[child] === EMPTY ? undefined : payload(bytes, child);
    }
    if (bytes[child] === EMPTY) return undefined;
    if (bytes[child] === HASH) {
      bytes = encodedNode(source, bytes.subarray(child + 1, child + 33));
      onNode?.(bytes);
      child = 0;
    }
    node = readItem(bytes, child);
  }
}

/** First bytes in RLP: of the empty string, and of a string of 32 bytes (the hash of a child). */
export const EMPTY = 0x80;
export const HASH = 0xa0;

/** The byte string at an offset. */
export function payload(bytes: Uint8Array, at: number): Uint8Array {
  const { start, end } = readItem(bytes, at);
  return bytes.subarray(start, end);
}

/** Offset of the end of an RLP item. Fast for empty strings and hashes, the most common children of branches. */
export function endOf(bytes: Uint8Array, at: number): number {
  const first = bytes[at]!;
  if (first === EMPTY) return at + 1;
  return first === HASH ? at + 33 : readItem(bytes, at).end;
}
