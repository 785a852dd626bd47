import { equalsBytes } from '@ethereumjs/util';
import { EMPTY_ROOT } from './account.ts';
import { integerBytes } from './integers.ts';
import { commonLength, fromNibbles, toNibbles } from './nibbles.ts';
import { encodeRlp } from './rlp-items.ts';
import { storedEntries } from './stored-entries.ts';
import { storedValue } from './stored-value.ts';
import { differentKeys } from './trie-difference.ts';
import {
  dropEncoding,
  encodeNode,
  hashOf,
  hashRef,
  isEmbedded,
  type LoadedNode,
  load,
  type NodeSource,
  type TrieNode,
} from './trie-node.ts';
import { insert, remove } from './trie-update.ts';

const NO_NODES: NodeSource = { getNode: () => undefined };

/**
 * An immutable Merkle Patricia trie (yellow paper, appendix D): `update` returns a new trie that shares all unchanged
 * nodes with the old one, which stays readable. Changed nodes are encoded and hashed when the root is read.
 * Every method throws an Error naming the hash if a node is missing in the source.
 */
export class Trie {
  readonly #source: NodeSource;
  readonly #top: TrieNode | undefined;

  private constructor(source: NodeSource, top: TrieNode | undefined) {
    this.#source = source;
    this.#top = top;
  }

  /** An empty trie. Tries that are never stored (transactions, receipts) need no source. */
  static empty(source: NodeSource = NO_NODES): Trie {
    return new Trie(source, undefined);
  }

  /** Root of a list's trie, each item under its RLP-encoded index: transactions, receipts or withdrawals. */
  static rootOfList(items: readonly Uint8Array[]): Uint8Array {
    return Trie.empty().update(items.map((item, i) => [encodeRlp(integerBytes(BigInt(i))), item])).root;
  }

  /** @param root 32 bytes; its node is fetched with the first read */
  static at(source: NodeSource, root: Uint8Array): Trie {
    return new Trie(source, equalsBytes(root, EMPTY_ROOT) ? undefined : hashRef(root));
  }

  /** 32 bytes */
  get root(): Uint8Array {
    return this.#top === undefined ? EMPTY_ROOT : hashOf(this.#top);
  }

  /**
   * Hashes the nodes for {@link root}, in parts.
   * @param report called with the finished share, 0 to 1
   */
  hash(report: (share: number) => void): void {
    const top = this.#top;
    if (top?.kind !== 'branch') return;
    for (const [i, child] of top.children.entries()) {
      const parts = child?.kind === 'branch' ? child.children : [child];
      for (const [k, part] of parts.entries()) {
        if (part) hashOf(part);
        report((i + (k + 1) / parts.length) / top.children.length);
      }
    }
  }

  get(key: Uint8Array): Uint8Array | undefined {
    const path = toNibbles(key);
    let at = this.#top;
    let depth = 0;
    while (at !== undefined) {
      if (at.kind === 'hash') return storedValue(this.#source, at.hash, path, depth);
      if (at.kind === 'branch') {
        if (depth === path.length) return at.value;
        at = at.children[path[depth++]!];
        continue;
      }
      if (commonLength(at.path, path, depth) < at.path.length) return undefined;
      depth += at.path.length;
      if (at.kind === 'leaf') return depth === path.length ? at.value : undefined;
      at = at.child;
    }
    return undefined;
  }

  /** @param writes in any order; the last write to a key counts; an empty or undefined value deletes */
  update(writes: Iterable<readonly [key: Uint8Array, value: Uint8Array | undefined]>): Trie {
    let top = this.#top;
    for (const [key, value] of writes) {
      const path = toNibbles(key);
      top =
        value === undefined || value.length === 0
          ? remove(this.#source, top, path, 0)
          : insert(this.#source, top, path, 0, value);
    }
    return top === this.#top ? this : new Trie(this.#source, top);
  }

  /** Nodes of this trie that are not in the source, parents first: they must be stored before `Trie.at` can open it. */
  *unstored(): Iterable<readonly [hash: Uint8Array, encoded: Uint8Array]> {
    for (const node of this.#unstored())
      if (node === this.#top || !isEmbedded(node)) yield [hashOf(node), encodeNode(node)];
  }

  /** Whether any node isn't in the source. */
  get hasUnstored(): boolean {
    return this.#unstored().length > 0;
  }

  /** The same trie on a source that has its nodes or is about to get them. Marks the nodes as stored, also for tries that share them. */
  asStored(source: NodeSource): Trie {
    for (const node of this.#unstored()) {
      node.stored = true;
      dropEncoding(node);
    }
    return new Trie(source, this.#top);
  }

  /** Number of nodes in memory; the others are in the source. */
  get heldNodes(): number {
    return this.#held(() => true).length;
  }

  #unstored(): LoadedNode[] {
    return this.#held((node) => !node.stored);
  }

  /** The nodes in memory that `wanted` accepts, parents first. The nodes below a rejected node are skipped. */
  #held(wanted: (node: LoadedNode) => boolean): LoadedNode[] {
    const held: LoadedNode[] = [];
    const open = this.#top === undefined ? [] : [this.#top];
    for (let node = open.pop(); node !== undefined; node = open.pop()) {
      if (node.kind === 'hash' || !wanted(node)) continue;
      held.push(node);
      if (node.kind === 'extension') open.push(node.child);
      else if (node.kind === 'branch') for (const child of node.children) if (child) open.push(child);
    }
    return held;
  }

  /**
   * RLP of the nodes from the root to the key, or to where the key would be (EIP-1186). Nodes embedded in their
   * parent are left out, as in geth. Empty for an empty trie.
   */
  prove(key: Uint8Array): Uint8Array[] {
    const path = toNibbles(key);
    const proof: Uint8Array[] = [];
    let at = this.#top;
    let depth = 0;
    while (at !== undefined) {
      if (at.kind === 'hash') {
        storedValue(this.#source, at.hash, path, depth, (encoded) => proof.push(encoded));
        break;
      }
      if (at === this.#top || !isEmbedded(at)) proof.push(encodeNode(at));
      if (at.kind === 'branch') {
        at = depth < path.length ? at.children[path[depth++]!] : undefined;
        continue;
      }
      if (at.kind === 'leaf' || commonLength(at.path, path, depth) < at.path.length) break;
      depth += at.path.length;
      at = at.child;
    }
    return proof;
  }

  /** The keys whose values differ in another trie, roughly in key order. */
  differentKeys(other: Trie): Iterable<Uint8Array> {
    return differentKeys(
      { source: this.#source, node: this.#top },
      { source: other.#source, node: other.#top },
    );
  }

  /** The entries in the order of their keys, from `start` (inclusive) on. */
  *entries(start?: Uint8Array): Iterable<readonly [key: Uint8Array, value: Uint8Array]> {
    if (this.#top === undefined) return;
    const from = start && toNibbles(start);
    /** nibbles from the root to the current node */
    let path = new Uint8Array(64);
    const follow = (depth: number, nibbles: Uint8Array) => {
      if (depth + nibbles.length > path.length) {
        const longer = new Uint8Array(2 * (depth + nibbles.length));
        longer.set(path);
        path = longer;
      }
      path.set(nibbles, depth);
      return depth + nibbles.length;
    };
    const open: Open[] = [{ node: this.#top, depth: 0, nibble: 0, isBound: from !== undefined }];
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      const { depth } = next;
      let { isBound } = next;
      if (depth > 0) path[depth - 1] = next.nibble;
      if (next.node.kind === 'hash' && !isBound) {
        yield* storedEntries(this.#source, next.node.hash, path.slice(0, depth));
        continue;
      }
      const node = load(this.#source, next.node);
      if (node.kind === 'branch') {
        const first = isBound && depth < from!.length ? from![depth]! : -1;
        if (node.value !== undefined && first < 0) yield [fromNibbles(path.subarray(0, depth)), node.value];
        if (depth === path.length) follow(depth, ONE_NIBBLE);
        for (let i = 15; i >= Math.max(first, 0); i--) {
          const child = node.children[i];
          if (child) open.push({ node: child, depth: depth + 1, nibble: i, isBound: i === first });
        }
        continue;
      }
      if (isBound) {
        const common = commonLength(node.path, from!, depth);
        if (common < node.path.length && depth + common < from!.length) {
          if (node.path[common]! < from![depth + common]!) continue;
          isBound = false;
        } else if (node.kind === 'leaf' && depth + common < from!.length) continue;
      }
      const end = follow(depth, node.path);
      if (node.kind === 'leaf') yield [fromNibbles(path.subarray(0, end)), node.value];
      else open.push({ node: node.child, depth: end, nibble: path[end - 1]!, isBound });
    }
  }
}

const ONE_NIBBLE = new Uint8Array(1);

/** A node that is still to be visited. */
interface Open {
  readonly node: TrieNode;
  /** number of nibbles from the root to the node */
  readonly depth: number;
  /** the last of these nibbles */
  readonly nibble: number;
  /** whether these nibbles are a prefix of the lower bound */
  readonly isBound: boolean;
}
