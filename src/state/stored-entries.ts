import { fromNibbles } from './nibbles.ts';
import { readItem } from './rlp-items.ts';
import { EMPTY, endOf, HASH, payload } from './stored-value.ts';
import { encodedNode, type NodeSource } from './trie-node.ts';

/** A branch with children that are still to be visited. */
interface OpenBranch {
  readonly bytes: Uint8Array;
  /** number of nibbles from the root to the branch */
  readonly depth: number;
  /** offset of the next child, and its nibble */
  at: number;
  nibble: number;
}

/**
 * The entries below a stored node, in the order of their keys. Reads them from the RLP of the nodes: decoding whole nodes takes twice
 * as long.
 * @param hash hash of the node
 * @param above nibbles from the root to the node
 * @throws Error naming the hash if a node is missing in the source
 */
export function* storedEntries(
  source: NodeSource,
  hash: Uint8Array,
  above: Uint8Array,
): Generator<readonly [key: Uint8Array, value: Uint8Array]> {
  let path = new Uint8Array(Math.max(64, above.length));
  path.set(above);
  /** makes room for a path of this length */
  const reach = (length: number) => {
    if (length <= path.length) return;
    const longer = new Uint8Array(2 * length);
    longer.set(path);
    path = longer;
  };
  const open: OpenBranch[] = [];
  let bytes = encodedNode(source, hash);
  let node = readItem(bytes, 0);
  let depth = above.length;
  for (;;) {
    /** offset of the child to visit next; 0 = none, since no child is at the beginning */
    let child = 0;
    const second = endOf(bytes, node.start);
    if (endOf(bytes, second) === node.end) {
      let from = readItem(bytes, node.start).start;
      reach(depth + 2 * (second - from));
      const flags = bytes[from]! >> 4;
      if (flags & 1) path[depth++] = bytes[from]! & 15;
      while (++from < second) {
        path[depth++] = bytes[from]! >> 4;
        path[depth++] = bytes[from]! & 15;
      }
      if (flags & 2) yield [fromNibbles(path.subarray(0, depth)), payload(bytes, second)];
      else child = second;
    } else {
      reach(depth + 1);
      open.push({ bytes, depth, at: node.start, nibble: 0 });
      let value = node.start;
      for (let i = 0; i < 16; i++) value = endOf(bytes, value);
      if (bytes[value] !== EMPTY) yield [fromNibbles(path.subarray(0, depth)), payload(bytes, value)];
    }
    while (child === 0) {
      const top = open.at(-1);
      if (!top) return;
      if (top.nibble === 16) {
        open.pop();
        continue;
      }
      const { at, nibble } = top;
      bytes = top.bytes;
      top.at = endOf(bytes, at);
      top.nibble++;
      if (bytes[at] === EMPTY) continue;
      path[top.depth] = nibble;
      depth = top.depth + 1;
      child = at;
    }
    if (bytes[child] === HASH) {
      bytes = encodedNode(source, bytes.subarray(child + 1, child + 33));
      child = 0;
    }
    node = readItem(bytes, child);
  }
}
