import { decodeAccount, EMPTY_ROOT } from './account.ts';
import { fromNibbles } from './nibbles.ts';
import { decodeNode, hashRef, type TrieNode } from './trie-node.ts';
import type { AccountState } from './view.ts';

/** One part of a state: a trie node, an account or a storage slot. Keys are hashed addresses and slots. */
export type StatePart =
  | { readonly kind: 'node'; readonly hash: Uint8Array; readonly bytes: Uint8Array }
  | { readonly kind: 'account'; readonly key: Uint8Array; readonly account: AccountState }
  | { readonly kind: 'slot'; readonly key: Uint8Array };

/** A node still to be visited. */
interface Open {
  readonly node: TrieNode;
  readonly storage: boolean;
  /** nibbles from the root to its parent */
  readonly above: Uint8Array;
  /** the node's index in its parent, when that is a branch */
  readonly nibble?: number;
}

const ROOT = new Uint8Array(0);

/**
 * All parts of the state with a given root, parents before their children.
 * @param enter called for each stored node; `false` skips the node and everything below it, for example because another walk
 *   has already yielded it
 * @param getNode throws when a node is missing
 */
export function* walkState(
  root: Uint8Array,
  enter: (hash: Uint8Array) => boolean,
  getNode: (hash: Uint8Array) => Uint8Array,
): Generator<StatePart> {
  const open: Open[] = [];
  const visit = (hash: Uint8Array, storage: boolean) => {
    if (!Buffer.from(hash).equals(EMPTY_ROOT)) open.push({ node: hashRef(hash), storage, above: ROOT });
  };
  visit(root, false);
  for (let next = open.pop(); next; next = open.pop()) {
    let { node } = next;
    const { storage, above, nibble } = next;
    if (node.kind === 'hash') {
      if (!enter(node.hash)) continue;
      const bytes = getNode(node.hash);
      yield { kind: 'node', hash: node.hash, bytes };
      node = decodeNode(bytes);
    }
    const at = nibble === undefined ? above : Uint8Array.of(...above, nibble);
    if (node.kind === 'branch') {
      // Pushed in reverse, so that children are visited in the order of the keys.
      for (let child = 15; child >= 0; child--) {
        const below = node.children[child];
        if (below) open.push({ node: below, storage, above: at, nibble: child });
      }
      continue;
    }
    const path = Uint8Array.of(...at, ...node.path);
    if (node.kind === 'extension') {
      open.push({ node: node.child, storage, above: path });
      continue;
    }
    const key = fromNibbles(path);
    if (storage) yield { kind: 'slot', key };
    else {
      const account = decodeAccount(node.value);
      yield { kind: 'account', key, account };
      visit(account.storageRoot, true);
    }
  }
}
