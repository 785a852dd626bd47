import { hasCode } from '../../../state/account.ts';
import { reached } from '../../../state/reached.ts';
import { giveWay } from '../../../turns.ts';
import type { CheckedLevel } from '../checked-level.ts';
import { keyOf, PREFIX } from '../keys.ts';
import { KeySet } from './key-set.ts';

/**
 * Trie nodes and code that some states reach, and the preimages of their keys. Each node is visited once however many
 * states share it: a leaf holds the rest of its key, so that it has one place only.
 */
export class LiveState {
  readonly #db: CheckedLevel;
  readonly #reached = new KeySet();

  constructor(deps: { db: CheckedLevel }) {
    this.#db = deps.db;
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
    const enter = (hash: Uint8Array) => !stopped() && this.#reached.add(keyOf(PREFIX.node, hash));
    const getNode = (hash: Uint8Array): Uint8Array => {
      const bytes = this.#db.get(keyOf(PREFIX.node, hash));
      if (!bytes) throw this.#db.damaged(`a node of a kept state is missing`);
      return bytes;
    };
    for (const piece of reached(root, enter, getNode)) {
      await giveWay();
      if (piece.kind !== 'node') this.#reached.add(keyOf(PREFIX.preimage, piece.key));
      if (piece.kind === 'account' && hasCode(piece.account))
        this.#reached.add(keyOf(PREFIX.code, piece.account.codeHash));
    }
  }
}
