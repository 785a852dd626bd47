import { equalsBytes } from '@ethereumjs/util';
import { commonLength, toNibbles } from './nibbles.ts';
import {
  branch,
  extension,
  type Leaf,
  leaf,
  load,
  type NodeSource,
  type TrieNode,
  withChildren,
} from './trie-node.ts';

/** The value that a write sets; `undefined` or an empty one deletes the key. */
export type Value = Uint8Array | undefined;
/** The value itself, or what makes it of the value that the trie has: it is called once. */
export type NewValue = Value | ((before: Value) => Value);

/** A write, and where its key comes among others. */
interface Write {
  /** the key's nibbles */
  readonly path: Uint8Array;
  /** the first bytes of the key as a number, in the order of the keys: it spares most comparisons of paths */
  readonly rank: number;
  value: NewValue;
}

const RANKED_BYTES = 6;

/**
 * Makes all changes of a trie in one pass from its root: the writes are put in the order of their keys, each node is looked at
 * once, and what is new below it is built from the writes that belong there. The nodes are new objects, and those that don't
 * change are shared, with the hashes that they have.
 * @param top the root node; `undefined` for an empty trie
 * @param writes in any order; the last write to a key counts
 * @returns the new root node; `top` itself when nothing changed
 */
export function updateNodes(
  source: NodeSource,
  top: TrieNode | undefined,
  writes: Iterable<readonly [key: Uint8Array, value: NewValue]>,
): TrieNode | undefined {
  const sorted = inOrder(writes);
  return sorted.length === 0 ? top : new Update(source, sorted).merge(top, 0, sorted.length, 0);
}

function inOrder(writes: Iterable<readonly [key: Uint8Array, value: NewValue]>): Write[] {
  const sorted: Write[] = [];
  for (const [key, value] of writes) sorted.push({ path: toNibbles(key), rank: rankOf(key), value });
  if (sorted.length < 2) return sorted;
  // Sorting is stable: of two writes to a key, the later one comes later.
  sorted.sort((a, b) => a.rank - b.rank || Buffer.compare(a.path, b.path));
  let kept = 0;
  for (let i = 1; i < sorted.length; i++) {
    const [before, next] = [sorted[kept]!, sorted[i]!];
    if (before.rank !== next.rank || !equalsBytes(before.path, next.path)) kept++;
    sorted[kept] = next;
  }
  sorted.length = kept + 1;
  return sorted;
}

function rankOf(key: Uint8Array): number {
  let rank = 0;
  for (let i = 0; i < RANKED_BYTES; i++) rank = rank * 256 + (key[i] ?? 0);
  return rank;
}

class Update {
  readonly #source: NodeSource;
  readonly #writes: readonly Write[];

  constructor(source: NodeSource, writes: readonly Write[]) {
    this.#source = source;
    this.#writes = writes;
  }

  /**
   * Applies the writes `from` to `to` (exclusive) below a node.
   * @param depth the keys of these writes have so many nibbles in common, which lead to the node
   */
  merge(at: TrieNode | undefined, from: number, to: number, depth: number): TrieNode | undefined {
    if (at === undefined) return this.#build(from, to, depth);
    const node = load(this.#source, at);
    if (node.kind === 'branch') {
      const changed = this.#mergeChildren(node.children, node.value, from, to, depth);
      if (!changed) return at;
      return this.#joined(NO_PATH, changed.children, changed.value, () =>
        withChildren(node, changed.children, changed.mask, changed.value),
      );
    }
    const { path } = node;
    const first = this.#writes[from]!.path;
    const common = Math.min(commonLength(path, first, depth), this.#commonOf(from, to, depth));
    if (common === path.length) {
      if (node.kind === 'extension') {
        const child = this.merge(node.child, from, to, depth + common);
        if (child === node.child) return at;
        return child && prepend(this.#source, path, child);
      }
      if (from + 1 === to && first.length === depth + common) {
        const value = this.#valueOf(from, node.value);
        if (value === undefined) return undefined;
        return equalsBytes(node.value, value) ? at : leaf(path, value);
      }
    }
    // The node parts from the keys here: a branch takes its place, with what is left of it below.
    const children: (TrieNode | undefined)[] = new Array(16).fill(undefined);
    let own: Value;
    if (common === path.length) own = (node as Leaf).value;
    else {
      const rest = path.subarray(common + 1);
      if (node.kind === 'leaf') children[path[common]!] = leaf(rest, node.value);
      else children[path[common]!] = rest.length === 0 ? node.child : extension(rest, node.child);
    }
    const changed = this.#mergeChildren(children, own, from, to, depth + common);
    return changed ? this.#joined(path.subarray(0, common), changed.children, changed.value) : at;
  }

  /** The node of writes where the trie has nothing. */
  #build(first: number, end: number, depth: number): TrieNode | undefined {
    let [from, to] = [first, end];
    while (from < to && this.#valueOf(from, undefined) === undefined) from++;
    while (from < to && this.#valueOf(to - 1, undefined) === undefined) to--;
    if (from === to) return undefined;
    const { path } = this.#writes[from]!;
    if (from + 1 === to) return leaf(path.subarray(depth), this.#valueOf(from, undefined)!);
    // The first and the last one stay, and part here: there is a branch.
    const common = this.#commonOf(from, to, depth);
    const { children, value } = this.#mergeChildren(NO_CHILDREN, undefined, from, to, depth + common)!;
    const made = branch(children, value);
    return common === 0 ? made : extension(path.subarray(depth, depth + common), made);
  }

  /** @returns what the writes make of the children and the value of a branch; `undefined` when nothing changes */
  #mergeChildren(
    before: readonly (TrieNode | undefined)[],
    value: Value,
    first: number,
    to: number,
    depth: number,
  ): { children: (TrieNode | undefined)[]; mask: number; value: Value } | undefined {
    let from = first;
    let after = value;
    if (this.#writes[from]!.path.length === depth) after = this.#valueOf(from++, value);
    let children: (TrieNode | undefined)[] | undefined;
    let mask = 0;
    while (from < to) {
      const nibble = this.#writes[from]!.path[depth]!;
      let end = from + 1;
      while (end < to && this.#writes[end]!.path[depth] === nibble) end++;
      const child = this.merge(before[nibble], from, end, depth + 1);
      if (child !== before[nibble]) {
        children ??= before.slice();
        children[nibble] = child;
        mask |= 1 << nibble;
      }
      from = end;
    }
    const isSame = after === value || (after && value && equalsBytes(after, value));
    if (!children && isSame) return undefined;
    return { children: children ?? before.slice(), mask, value: after };
  }

  /** The node with these children; a leaf or an extension where there aren't two entries. */
  #joined(
    path: Uint8Array,
    children: readonly (TrieNode | undefined)[],
    value: Value,
    make: () => TrieNode = () => branch(children, value),
  ): TrieNode | undefined {
    let only = -1;
    let entries = value === undefined ? 0 : 1;
    for (let i = 0; i < 16 && entries < 2; i++) {
      if (children[i] === undefined) continue;
      only = i;
      entries++;
    }
    if (entries === 0) return undefined;
    if (entries === 1 && only < 0) return leaf(path, value!);
    if (entries === 1) return prepend(this.#source, joined(path, Uint8Array.of(only)), children[only]!);
    return path.length === 0 ? make() : extension(path, make());
  }

  /** How many nibbles the keys of writes have in common from `depth` on. */
  #commonOf(from: number, to: number, depth: number): number {
    const { path } = this.#writes[from]!;
    // In their order, the first and the last one have the least in common.
    return commonLength(path.subarray(depth), this.#writes[to - 1]!.path, depth);
  }

  #valueOf(index: number, before: Value): Value {
    const write = this.#writes[index]!;
    if (typeof write.value === 'function') write.value = write.value(before);
    return write.value?.length === 0 ? undefined : write.value;
  }
}

const NO_PATH = new Uint8Array(0);
const NO_CHILDREN: readonly undefined[] = new Array(16).fill(undefined);

/** The node with `path` in front of its own. It may have to be fetched: the result depends on its kind. */
function prepend(source: NodeSource, path: Uint8Array, at: TrieNode): TrieNode {
  const node = load(source, at);
  if (node.kind === 'branch') return extension(path, at);
  const longer = joined(path, node.path);
  return node.kind === 'leaf' ? leaf(longer, node.value) : extension(longer, node.child);
}

function joined(path: Uint8Array, rest: Uint8Array): Uint8Array {
  if (path.length === 0) return rest;
  const longer = new Uint8Array(path.length + rest.length);
  longer.set(path);
  longer.set(rest, path.length);
  return longer;
}
