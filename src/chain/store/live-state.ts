import { decodeAccount, EMPTY_ROOT, hasCode } from '../../state/account.ts';
import { fromNibbles } from '../../state/nibbles.ts';
import { decodeNode, hashRef, type TrieNode } from '../../state/trie-node.ts';
import type { CheckedLevel } from './checked-level.ts';
import { KeySet } from './key-set.ts';
import { keyOf, PREFIX } from './keys.ts';

/** Nodes that are read before others get a turn on the event loop: some two milliseconds. */
const SLICE = 64;

/** A node on the way to it: a nibble is left out for a root. */
interface Open {
  readonly node: TrieNode;
  readonly storage: boolean;
  /** nibbles from the root to the node that names it */
  readonly above: Uint8Array;
  readonly nibble?: number;
}

const ROOT = new Uint8Array();

/**
 * Trie nodes and code that some states reach, and the preimages of their keys. Each node is visited once however many
 * states share it: a leaf holds the rest of its key, so that it has one place only.
 */
export class LiveState {
  readonly #db: CheckedLevel;
  readonly #pause: () => Promise<void>;
  readonly #reached = new KeySet();

  constructor(deps: { db: CheckedLevel; pause: () => Promise<void> }) {
    this.#db = deps.db;
    this.#pause = deps.pause;
  }

  /** Whether a state that was marked reaches the node, code or preimage of this key. */
  has(key: Uint8Array): boolean {
    return this.#reached.has(key);
  }

  /**
   * Marks all that a state consists of.
   * @param stopped asked between slices: leaves the rest
   * @throws DataDirError `damaged` when a node is missing
   */
  async mark(root: Uint8Array, stopped: () => boolean): Promise<void> {
    const open: Open[] = [];
    const visit = (hash: Uint8Array, storage: boolean) => {
      if (!Buffer.from(hash).equals(EMPTY_ROOT)) open.push({ node: hashRef(hash), storage, above: ROOT });
    };
    visit(root, false);
    let read = 0;
    for (let next = open.pop(); next && !stopped(); next = open.pop()) {
      let { node } = next;
      const { storage, above, nibble } = next;
      if (node.kind === 'hash') {
        const key = keyOf(PREFIX.node, node.hash);
        if (!this.#reached.add(key)) continue;
        const bytes = this.#db.get(key);
        if (!bytes) throw this.#db.damaged(`a node of a kept state is missing`);
        node = decodeNode(bytes);
        if (++read % SLICE === 0) await this.#pause();
      }
      const at = nibble === undefined ? above : Uint8Array.of(...above, nibble);
      if (node.kind === 'branch') {
        for (const [nibble, child] of node.children.entries())
          if (child) open.push({ node: child, storage, above: at, nibble });
        continue;
      }
      const path = Uint8Array.of(...at, ...node.path);
      if (node.kind === 'extension') {
        open.push({ node: node.child, storage, above: path });
        continue;
      }
      this.#reached.add(keyOf(PREFIX.preimage, fromNibbles(path)));
      if (!storage) {
        const account = decodeAccount(node.value);
        visit(account.storageRoot, true);
        if (hasCode(account)) this.#reached.add(keyOf(PREFIX.code, account.codeHash));
      }
    }
  }
}
