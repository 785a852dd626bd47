import { keccak256 } from './keccak.ts';
import { decodePath, encodePath } from './nibbles.ts';
import {
  encodeStrings,
  headerSize,
  type RlpItem,
  readList,
  stringSize,
  writeHeader,
  writeString,
} from './rlp-items.ts';
import { pool } from './slab.ts';

/** A store of trie nodes, keyed by the keccak256 of their RLP. */
export interface NodeSource {
  /** @returns the node's RLP; `undefined` if the store doesn't have it */
  getNode(hash: Uint8Array): Uint8Array | undefined;
}

/** Properties of a node that are computed lazily and then cached. */
interface CachedEncoding {
  /** the node's RLP; freed by {@link dropEncoding} */
  encoded: Uint8Array | undefined;
  /** The node's reference in its parent's RLP: its own RLP if shorter than 32 bytes, else its keccak256. */
  ref: Uint8Array | undefined;
  /** The source has the node or is about to get it, so it need not be stored. */
  stored: boolean;
}

export interface Leaf extends CachedEncoding {
  readonly kind: 'leaf';
  /** nibbles */
  readonly path: Uint8Array;
  readonly value: Uint8Array;
}

export interface Extension extends CachedEncoding {
  readonly kind: 'extension';
  /** nibbles, at least one */
  readonly path: Uint8Array;
  /** a branch, or the hash of one */
  readonly child: TrieNode;
}

export interface Branch extends CachedEncoding {
  readonly kind: 'branch';
  /** 16 entries, one for each nibble */
  readonly children: readonly (TrieNode | undefined)[];
  /** value of the key that ends at this branch */
  readonly value: Uint8Array | undefined;
  /** the branch that this one was derived from, until this one is encoded */
  former: Former | undefined;
}

/** The encoding of a branch before some of its children were replaced. */
interface Former {
  readonly encoded: Uint8Array;
  /** bit mask: bit i is set when child i was replaced */
  readonly changed: number;
}

/** A node of which only the hash is known: its content is still in the source. */
export interface HashRef {
  readonly kind: 'hash';
  readonly hash: Uint8Array;
}

export type LoadedNode = Leaf | Extension | Branch;
/** The content of a node never changes, so tries share nodes. */
export type TrieNode = LoadedNode | HashRef;

export function leaf(path: Uint8Array, value: Uint8Array, stored = false): Leaf {
  return { kind: 'leaf', path, value, encoded: undefined, ref: undefined, stored };
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

/** A copy of the branch with one child replaced. */
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

/** The node itself, read from the source if only its hash is known. @throws Error naming the hash if the source doesn't have it */
export function load(source: NodeSource, node: TrieNode): LoadedNode {
  return node.kind === 'hash' ? decodeNode(encodedNode(source, node.hash)) : node;
}

/** A stored node's RLP. @throws like {@link load} */
export function encodedNode(source: NodeSource, hash: Uint8Array): Uint8Array {
  const bytes = source.getNode(hash);
  if (bytes === undefined) throw new Error(`missing trie node 0x${Buffer.from(hash).toString('hex')}`);
  return bytes;
}

/** The node's RLP. Encodes and hashes children as needed, each only once. */
export function encodeNode(node: LoadedNode): Uint8Array {
  node.encoded ??= node.kind === 'branch' ? encodeBranch(node) : encodeShort(node);
  return node.encoded;
}

/**
 * Frees the encoding of a stored node, since it can be computed again. A full branch keeps its encoding, because the
 * encodings of branches derived from it are patched copies of it.
 */
export function dropEncoding(node: LoadedNode): void {
  const { encoded } = node;
  if (node.kind === 'branch' && encoded !== undefined && isFull(node.value, encoded)) return;
  node.encoded = undefined;
}

/** The reference to the node in its parent's RLP, see {@link CachedEncoding.ref}. */
function refOf(node: LoadedNode): Uint8Array {
  if (node.ref === undefined) {
    const encoded = encodeNode(node);
    node.ref = encoded.length < 32 ? encoded : keccak256(encoded);
  }
  return node.ref;
}

/** Whether the parent's RLP contains the node itself: such a node is never stored separately. */
export function isEmbedded(node: LoadedNode): boolean {
  return refOf(node).length < 32;
}

/** keccak256 of the node's RLP. Only roots, and nodes of 32 bytes or more, are referenced by their hash. */
export function hashOf(node: TrieNode): Uint8Array {
  if (node.kind === 'hash') return node.hash;
  const ref = refOf(node);
  return ref.length < 32 ? keccak256(ref) : ref;
}

/** Decodes the RLP of a stored node. */
export function decodeNode(bytes: Uint8Array): LoadedNode {
  const plain = plainBytes(bytes);
  const node = decodeItems(plain, readList(plain));
  node.encoded = plain;
  return node;
}

/** Converts a Buffer to a Uint8Array of the same bytes: slices of a Buffer are Buffers, which take several times as long to create. */
export function plainBytes(bytes: Uint8Array): Uint8Array {
  return bytes.constructor === Uint8Array
    ? bytes
    : new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength);
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

/** RLP size in bytes of a full branch: one without a value, whose 16 children are all referenced by hash. */
const FULL_BRANCH = 3 + 16 * 33 + 1;

/** Whether the encoding is that of a full branch, in which the reference to child i is at offset 3 + 33 * i. */
function isFull(value: Uint8Array | undefined, encoded: Uint8Array): boolean {
  return encoded.length === FULL_BRANCH && value === undefined;
}

function encodeBranch(node: Branch): Uint8Array {
  const { former } = node;
  node.former = undefined;
  return (former && patchBranch(node, former)) ?? encodeWholeBranch(node);
}

/** A full branch's encoding, patched from the encoding of the branch it was derived from; `undefined` if it isn't full. */
function patchBranch({ children }: Branch, { encoded, changed }: Former): Uint8Array | undefined {
  const out = pool.take(FULL_BRANCH);
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
  const out = pool.take(headerSize(length) + length);
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
  if (node.kind === 'leaf') return encodeStrings([path, node.value], (length) => pool.take(length));
  const length = stringSize(path) + refSize(node.child);
  const out = pool.take(headerSize(length) + length);
  writeRef(out, writeString(out, writeHeader(out, 0, length, 0xc0), path), node.child);
  return out;
}

/** Size in bytes of the reference to a child in its parent's RLP. */
function refSize(child: TrieNode): number {
  const length = child.kind === 'hash' ? 32 : refOf(child).length;
  return length < 32 ? length : 33;
}

/** Writes the reference to a child. @returns the offset after it */
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
