import { commonLength } from './nibbles.ts';
import { encodedNode, type NodeSource, plainBytes } from './trie-node.ts';

/** A branch of which some children are still to be visited. */
interface OpenBranch {
  readonly bytes: Uint8Array;
  /** where the next child begins */
  at: number;
  child: number;
  /** nibbles that lead to the branch */
  readonly depth: number;
  /** the child on the path of the lower bound; -1 for none */
  readonly bound: number;
}

/** What leads to a part of a trie. */
export interface Above {
  /** the nibbles, and room for 64 more; changed by the walk */
  readonly path: Uint8Array;
  /** how many there are */
  readonly depth: number;
  /** nibbles of the lower bound, where the path is its beginning */
  readonly from: Uint8Array | undefined;
}

const EMPTY = 0x80;
const HASH = 0xa0;
const LIST = 0xc0;
const LONG_LIST = 0xf8;

/**
 * The entries below a stored node, in the order of their keys. Nodes are read as they are encoded: objects of all nodes of a large
 * state take as long as all else that is done with it.
 * @returns nibbles of the key, valid up to the next entry, and the value
 */
export function* storedEntries(
  source: NodeSource,
  hash: Uint8Array,
  { path: given, depth: above, from }: Above,
): Generator<readonly [nibbles: Uint8Array, value: Uint8Array]> {
  let path = given;
  const open: OpenBranch[] = [];
  let bytes = plainBytes(encodedNode(source, hash));
  let at = 0;
  let depth = above;
  let isBound = from !== undefined;
  for (;;) {
    const end = endOf(bytes, at);
    const first = startOf(bytes, at);
    const second = endOf(bytes, first);
    const isShort = endOf(bytes, second) === end;
    if (isShort) {
      const isLeaf = (bytes[startOf(bytes, first)]! & 0x20) !== 0;
      if (path.length < depth + 2 * (second - first)) path = longer(path, depth + 2 * (second - first));
      const to = decodePath(bytes, startOf(bytes, first), second, path, depth);
      let isBelow = false;
      if (isBound && from) {
        const common = commonLength(path.subarray(depth, to), from, depth);
        if (depth + common < to && depth + common < from.length) {
          isBelow = path[depth + common]! < from[depth + common]!;
          isBound = false;
        } else isBelow = isLeaf && depth + common < from.length;
      }
      if (!isBelow && isLeaf) yield [path.subarray(0, to), bytes.subarray(startOf(bytes, second), end)];
      else if (!isBelow) {
        depth = to;
        [bytes, at] = childAt(source, bytes, second);
        continue;
      }
    } else {
      const bound = isBound && from && depth < from.length ? from[depth]! : -1;
      const value = endOfChildren(bytes, first);
      if (bytes[value] !== EMPTY && bound < 0)
        yield [path.subarray(0, depth), bytes.subarray(startOf(bytes, value), end)];
      open.push({ bytes, at: first, child: 0, depth, bound });
    }
    const branch = nextChild(open);
    if (!branch) return;
    const { child } = branch;
    const place = branch.at;
    branch.at = endOf(branch.bytes, place);
    branch.child++;
    isBound = child === branch.bound;
    if (path.length <= branch.depth) path = longer(path, branch.depth + 1);
    path[branch.depth] = child;
    depth = branch.depth + 1;
    [bytes, at] = childAt(source, branch.bytes, place);
  }
}

/** The innermost branch that has a child left, which is its next one; the others are closed. */
function nextChild(open: OpenBranch[]): OpenBranch | undefined {
  for (let branch = open.at(-1); branch; branch = open.at(-1)) {
    for (; branch.child < 16; branch.child++) {
      if (branch.bytes[branch.at] !== EMPTY && branch.child >= branch.bound) return branch;
      branch.at = endOf(branch.bytes, branch.at);
    }
    open.pop();
  }
  return undefined;
}

/** The child whose reference stands at an offset: its encoding, and where that begins. */
function childAt(source: NodeSource, bytes: Uint8Array, at: number): [bytes: Uint8Array, at: number] {
  return bytes[at] === HASH
    ? [plainBytes(encodedNode(source, bytes.subarray(at + 1, at + 33))), 0]
    : [bytes, at];
}

function endOfChildren(bytes: Uint8Array, from: number): number {
  let at = from;
  for (let i = 0; i < 16; i++) at = endOf(bytes, at);
  return at;
}

/** Where the payload of the RLP item at an offset begins. */
function startOf(bytes: Uint8Array, at: number): number {
  const first = bytes[at]!;
  if (first < EMPTY) return at;
  if (first >= LONG_LIST) return at + 1 + (first - 0xf7);
  return first >= 0xb8 && first < LIST ? at + 1 + (first - 0xb7) : at + 1;
}

/** Where the RLP item at an offset ends. */
function endOf(bytes: Uint8Array, at: number): number {
  const first = bytes[at]!;
  if (first < EMPTY) return at + 1;
  if (first < 0xb8) return at + 1 + (first - EMPTY);
  if (first >= LIST && first < LONG_LIST) return at + 1 + (first - LIST);
  const start = startOf(bytes, at);
  let length = 0;
  for (let i = at + 1; i < start; i++) length = length * 256 + bytes[i]!;
  return start + length;
}

/** Writes the nibbles of a hex-prefix encoding behind others. @returns how many there are then */
function decodePath(bytes: Uint8Array, from: number, end: number, path: Uint8Array, depth: number): number {
  let to = depth;
  if (bytes[from]! & 0x10) path[to++] = bytes[from]! & 15;
  for (let i = from + 1; i < end; i++) {
    path[to++] = bytes[i]! >> 4;
    path[to++] = bytes[i]! & 15;
  }
  return to;
}

function longer(path: Uint8Array, length: number): Uint8Array {
  const grown = new Uint8Array(2 * length);
  grown.set(path);
  return grown;
}
