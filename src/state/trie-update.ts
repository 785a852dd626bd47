import { equalsBytes } from '@ethereumjs/util';
import { commonLength } from './nibbles.ts';
import {
  type Branch,
  branch,
  extension,
  type LoadedNode,
  leaf,
  load,
  type NodeSource,
  type TrieNode,
  withChild,
} from './trie-node.ts';

/**
 * Sets a key below the node `at`. Returns `at` itself when nothing changed, so that unchanged nodes keep their
 * hashes.
 * @param key nibbles; the first `depth` of them led to `at`
 */
export function insert(
  source: NodeSource,
  at: TrieNode | undefined,
  key: Uint8Array,
  depth: number,
  value: Uint8Array,
): TrieNode {
  if (at === undefined) return leaf(key.subarray(depth), value);
  const node = load(source, at);
  if (node.kind === 'branch') {
    if (depth === key.length)
      return node.value !== undefined && equalsBytes(node.value, value) ? at : branch(node.children, value);
    const index = key[depth]!;
    const child = node.children[index];
    const changed = insert(source, child, key, depth + 1, value);
    return changed === child ? at : withChild(node, index, changed);
  }
  const { path } = node;
  const common = commonLength(path, key, depth);
  if (common === path.length) {
    if (node.kind === 'extension') {
      const changed = insert(source, node.child, key, depth + common, value);
      return changed === node.child ? at : extension(path, changed);
    }
    if (depth + common === key.length) return equalsBytes(node.value, value) ? at : leaf(path, value);
  }
  const fork = split(node, common, key, depth + common, value);
  return common === 0 ? fork : extension(path.subarray(0, common), fork);
}

/** Removes a key below the node `at`. Returns `undefined` when nothing is left, `at` when it lacks the key. */
export function remove(
  source: NodeSource,
  at: TrieNode | undefined,
  key: Uint8Array,
  depth: number,
): TrieNode | undefined {
  if (at === undefined) return undefined;
  const node = load(source, at);
  if (node.kind === 'branch') {
    if (depth === key.length)
      return node.value === undefined ? at : collapse(source, branch(node.children, undefined));
    const index = key[depth]!;
    const child = node.children[index];
    const changed = remove(source, child, key, depth + 1);
    if (changed === child) return at;
    const rest = withChild(node, index, changed);
    return changed === undefined ? collapse(source, rest) : rest;
  }
  const { path } = node;
  if (commonLength(path, key, depth) < path.length) return at;
  if (node.kind === 'leaf') return depth + path.length === key.length ? undefined : at;
  const changed = remove(source, node.child, key, depth + path.length);
  // The child of an extension is a branch with two entries or more, so it never becomes empty here.
  return changed === node.child ? at : prepend(source, path, changed!);
}

/** Makes a branch that replaces a leaf or extension whose path differs from the key's after `common` nibbles. */
function split(
  node: Exclude<LoadedNode, Branch>,
  common: number,
  key: Uint8Array,
  depth: number,
  value: Uint8Array,
): Branch {
  const children: (TrieNode | undefined)[] = new Array(16).fill(undefined);
  let own: Uint8Array | undefined;
  const rest = node.path.subarray(common + 1);
  if (common === node.path.length) own = (node as { value: Uint8Array }).value;
  else if (node.kind === 'leaf') children[node.path[common]!] = leaf(rest, node.value);
  else children[node.path[common]!] = rest.length === 0 ? node.child : extension(rest, node.child);
  if (depth === key.length) own = value;
  else children[key[depth]!] = leaf(key.subarray(depth + 1), value);
  return branch(children, own);
}

/** Replaces a branch that has one entry left with a leaf or an extension. */
function collapse(source: NodeSource, node: Branch): TrieNode {
  let only = -1;
  for (let i = 0; i < 16; i++) {
    if (node.children[i] === undefined) continue;
    if (only >= 0 || node.value !== undefined) return node;
    only = i;
  }
  if (only < 0) return leaf(new Uint8Array(0), node.value!);
  return prepend(source, Uint8Array.of(only), node.children[only]!);
}

/** The node with `path` prepended to its own path. Loads the node, because the result depends on its kind. */
function prepend(source: NodeSource, path: Uint8Array, at: TrieNode): TrieNode {
  const node = load(source, at);
  if (node.kind === 'branch') return extension(path, at);
  const longer = new Uint8Array(path.length + node.path.length);
  longer.set(path);
  longer.set(node.path, path.length);
  return node.kind === 'leaf' ? leaf(longer, node.value) : extension(longer, node.child);
}
