import { equalsBytes } from '@ethereumjs/util';
import { fromNibbles } from './nibbles.ts';
import { hashOf, type LoadedNode, load, type NodeSource, type TrieNode } from './trie-node.ts';

/** A node of a trie with everything below it. */
export interface Subtrie {
  readonly source: NodeSource;
  /** `undefined` for a part without keys */
  readonly node: TrieNode | undefined;
  /** how many nibbles of the node's own path were already followed */
  readonly passed?: number;
}

/**
 * The keys whose values differ in two tries, including keys that only one of them has. Doesn't read parts that the tries
 * share.
 * @param path nibbles from the roots to here
 * @throws Error naming the hash when a source lacks a node
 */
export function* differentKeys(
  left: Subtrie,
  right: Subtrie,
  path: readonly number[] = [],
): Generator<Uint8Array> {
  const { passed: fromLeft = 0 } = left;
  const { passed: fromRight = 0 } = right;
  if (left.node && right.node && fromLeft === 0 && fromRight === 0)
    if (left.node === right.node || equalsBytes(hashOf(left.node), hashOf(right.node))) return;
  const a = left.node && load(left.source, left.node);
  const b = right.node && load(right.source, right.node);
  if (!a && !b) return;
  // Compares leaves as a whole instead of nibble by nibble, because leaf paths are long.
  if ((!a || a.kind === 'leaf') && (!b || b.kind === 'leaf')) {
    const rests = [a?.path.subarray(fromLeft), b?.path.subarray(fromRight)] as const;
    const [one, other] = rests;
    if (one && other && equalsBytes(one, other)) {
      if (!equalsBytes(a!.value, b!.value)) yield fromNibbles([...path, ...one]);
      return;
    }
    for (const rest of rests) if (rest) yield fromNibbles([...path, ...rest]);
    return;
  }
  if (!equalsBytes(valueAt(a, fromLeft), valueAt(b, fromRight))) yield fromNibbles(path);
  for (let nibble = 0; nibble < 16; nibble++) {
    const belowLeft = below(left.source, a, fromLeft, nibble);
    const belowRight = below(right.source, b, fromRight, nibble);
    if (belowLeft.node || belowRight.node) yield* differentKeys(belowLeft, belowRight, [...path, nibble]);
  }
}

const NONE = new Uint8Array();

/** The value of the key that ends after `passed` nibbles of the node's path. */
function valueAt(node: LoadedNode | undefined, passed: number): Uint8Array {
  if (!node || node.kind === 'extension') return NONE;
  if (node.kind === 'branch') return node.value ?? NONE;
  return passed === node.path.length ? node.value : NONE;
}

function below(source: NodeSource, node: LoadedNode | undefined, passed: number, nibble: number): Subtrie {
  if (!node) return { source, node: undefined };
  if (node.kind === 'branch') return { source, node: node.children[nibble] };
  if (node.path[passed] !== nibble) return { source, node: undefined };
  const ends = node.kind === 'extension' && passed + 1 === node.path.length;
  return ends ? { source, node: node.child } : { source, node, passed: passed + 1 };
}
