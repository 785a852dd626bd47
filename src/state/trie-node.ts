import { keccak256 } from './keccak.ts';
import { decodePath, encodePath } from './nibbles.ts';
import {
  encodeStrings,
  headerSize,
  pooledBytes,
  type RlpItem,
  readList,
  stringSize,
  writeHeader,
  writeString,
} from './rlp-items.ts';

/** Where nodes come from, by their keccak256. */
export interface NodeSource {
  /** @returns the node's RLP; `undefined` when it isn't there */
  getNode(hash: Uint8Array): Uint8Array | undefined;
  /** As `getNode`, for sources that remember decoded nodes. */
  getDecoded?(hash: Uint8Array): LoadedNode | undefined;
}

/** What nodes in memory know beside their content; filled when first asked for. */
interface Sealed {
  /** see {@link dropEncoding} */
  encoded: Uint8Array | undefined;
  /** What a parent holds of the node: its RLP when under 32 bytes, else its hash. */
  ref: Uint8Array | undefined;
  /** read from the source or on its way there, so it need not be stored */
  stored: boolean;
}

export interface Leaf extends Sealed {
  readonly kind: 'leaf';
  /** nibbles */
  readonly path: Uint8Array;
  readonly value: Uint8Array;
  /** what a reader made of the value */
  read: unknown;
}

export interface Extension extends Sealed {
  readonly kind: 'extension';
  /** nibbles, at least one */
  readonly path: Uint8Array;
  /** a branch, or the hash of one */
  readonly child: TrieNode;
}

export interface Branch extends Sealed {
  readonly kind: 'branch';
  /** sixteen */
  readonly children: readonly (TrieNode | undefined)[];
  /** of the key that ends here */
  readonly value: Uint8Array | undefined;
  /** the branch that it was made of, until it is encoded */
  former: Former | undefined;
}

/** How a branch was encoded before some children of it changed. */
interface Former {
  readonly encoded: Uint8Array;
  /** a bit for each child that is another one now */
  readonly changed: number;
}

/** A node that stayed in the source. */
export interface HashRef {
  readonly kind: 'hash';
  readonly hash: Uint8Array;
}

export type LoadedNode = Leaf | Extension | Branch;
/** Nodes never change, so tries share them. */
export type TrieNode = LoadedNode | HashRef;

export function leaf(path: Uint8Array, value: Uint8Array, stored = false): Leaf {
  return { kind: 'leaf', path, value, read: undefined, encoded: undefined, ref: undefined, stored };
}

export function extension(path: Uint8Array, child: TrieNode, stored = false): Extension {
  return { kind: 'extension', path, child, encoded: undefined, ref: undefined, stored };
}

export function branch(
  children: readonly (TrieNode | undefined)[],
  value: Uint8Array | undefined,
  stored = false,
): Branch {
  return { kind: 'branch', children, value, former: undefined, encoded: undefined, ref: undefined, stored };
}

/** The branch with another child. */
export function withChild(node: Branch, index: number, child: TrieNode | undefined): Branch {
  const children = node.children.slice();
  children[index] = child;
  const made = branch(children, node.value);
  const former = node.encoded === undefined ? node.former : { encoded: node.encoded, changed: 0 };
  if (former !== undefined && isFull(node.value, former.encoded))
    made.former = { encoded: former.encoded, changed: former.changed | (1 << index) };
  return made;
}

export function hashRef(hash: Uint8Array): HashRef {
  return { kind: 'hash', hash };
}

/**
 * The node itself, fetched when only its hash is known.
 * @throws Error naming the hash when the source lacks it
 */
export function load(source: NodeSource, node: TrieNode): LoadedNode {
  if (node.kind !== 'hash') return node;
  const decoded = source.getDecoded?.(node.hash);
  if (decoded !== undefined) return decoded;
  const bytes = source.getNode(node.hash);
  if (bytes === undefined) throw new Error(`missing trie node 0x${Buffer.from(node.hash).toString('hex')}`);
  return decodeNode(bytes);
}

/** The node's RLP; children are encoded and hashed as needed, each once. */
export function encodeNode(node: LoadedNode): Uint8Array {
  node.encoded ??= node.kind === 'branch' ? encodeBranch(node) : encodeShort(node);
  return node.encoded;
}

/** Makes room, once it is stored: but for that of a full branch, of which the next ones are made, it is soon made again. */
export function dropEncoding(node: LoadedNode): void {
  const { encoded } = node;
  if (node.kind === 'branch' && encoded !== undefined && isFull(node.value, encoded)) return;
  node.encoded = undefined;
}

/** What the node's parent holds of it. */
function refOf(node: LoadedNode): Uint8Array {
  if (node.ref === undefined) {
    const encoded = encodeNode(node);
    node.ref = encoded.length < 32 ? encoded : keccak256(encoded);
  }
  return node.ref;
}

/** True when the parent carries the node itself: such a node is never stored on its own. */
export function isEmbedded(node: LoadedNode): boolean {
  return refOf(node).length < 32;
}

/** keccak256 of the node; asked of roots and of nodes of 32 bytes or more. */
export function hashOf(node: TrieNode): Uint8Array {
  if (node.kind === 'hash') return node.hash;
  const ref = refOf(node);
  return ref.length < 32 ? keccak256(ref) : ref;
}

/** Reads a node as stored. */
export function decodeNode(bytes: Uint8Array): LoadedNode {
  // A Buffer's slices would be Buffers: keep to plain bytes whatever the store hands out.
  const plain =
    bytes.constructor === Uint8Array
      ? bytes
      : new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const node = decodeItems(plain, readList(plain));
  node.encoded = plain;
  return node;
}

function decodeItems(bytes: Uint8Array, items: readonly RlpItem[]): LoadedNode {
  if (items.length === 17) {
    const children: (TrieNode | undefined)[] = [];
    for (let i = 0; i < 16; i++) children.push(decodeChild(bytes, items[i]!));
    const value = items[16]!;
    return branch(
      children,
      value.end > value.start ? bytes.subarray(value.start, value.end) : undefined,
      true,
    );
  }
  if (items.length !== 2) throw new Error(`a trie node has 2 or 17 items, not ${items.length}`);
  const [first, second] = items as [RlpItem, RlpItem];
  const { path, leaf: isLeaf } = decodePath(bytes.subarray(first.start, first.end));
  if (isLeaf) return leaf(path, bytes.subarray(second.start, second.end), true);
  return extension(path, decodeChild(bytes, second)!, true);
}

function decodeChild(bytes: Uint8Array, item: RlpItem): TrieNode | undefined {
  if (item.list) return decodeNode(bytes.subarray(item.from, item.end));
  if (item.end === item.start) return undefined;
  return hashRef(bytes.subarray(item.start, item.end));
}

/** Bytes of a branch without a value whose sixteen children are all named by hashes. */
const FULL_BRANCH = 3 + 16 * 33 + 1;

/** Whether the encoding is of a branch in which each child stands at a place that is known. */
function isFull(value: Uint8Array | undefined, encoded: Uint8Array): boolean {
  return encoded.length === FULL_BRANCH && value === undefined;
}

function encodeBranch(node: Branch): Uint8Array {
  const { former } = node;
  node.former = undefined;
  return (former && patchBranch(node, former)) ?? encodeWholeBranch(node);
}

/** The encoding of a full branch, of that of the one it was made of; `undefined` when it isn't full any more. */
function patchBranch({ children }: Branch, { encoded, changed }: Former): Uint8Array | undefined {
  const out = pooledBytes(FULL_BRANCH);
  out.set(encoded);
  for (let i = 0; i < 16; i++) {
    if ((changed & (1 << i)) === 0) continue;
    const child = children[i];
    if (child === undefined || refSize(child) !== 33) return undefined;
    writeRef(out, 3 + 33 * i, child);
  }
  return out;
}

function encodeWholeBranch(node: Branch): Uint8Array {
  let length = node.value === undefined ? 1 : stringSize(node.value);
  for (const child of node.children) length += child === undefined ? 1 : refSize(child);
  const out = pooledBytes(headerSize(length) + length);
  let at = writeHeader(out, 0, length, 0xc0);
  for (const child of node.children) {
    if (child === undefined) out[at++] = 0x80;
    else at = writeRef(out, at, child);
  }
  if (node.value === undefined) out[at] = 0x80;
  else writeString(out, at, node.value);
  return out;
}

function encodeShort(node: Leaf | Extension): Uint8Array {
  const path = encodePath(node.path, node.kind === 'leaf');
  if (node.kind === 'leaf') return encodeStrings([path, node.value], pooledBytes);
  const length = stringSize(path) + refSize(node.child);
  const out = pooledBytes(headerSize(length) + length);
  writeRef(out, writeString(out, writeHeader(out, 0, length, 0xc0), path), node.child);
  return out;
}

/** Bytes of a child in its parent's RLP. */
function refSize(child: TrieNode): number {
  const length = child.kind === 'hash' ? 32 : refOf(child).length;
  return length < 32 ? length : 33;
}

/** Writes a child as its parent holds it; returns where that ends. */
function writeRef(out: Uint8Array, at: number, child: TrieNode): number {
  const ref = child.kind === 'hash' ? child.hash : refOf(child);
  if (ref.length < 32) {
    out.set(ref, at);
    return at + ref.length;
  }
  out[at] = 0xa0;
  out.set(ref, at + 1);
  return at + 33;
}
