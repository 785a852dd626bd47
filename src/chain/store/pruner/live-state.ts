import { hasCode } from '../../../state/account.ts';
import { walkState } from '../../../state/walk-state.ts';
import { giveWay } from '../../../turns.ts';
import type { CheckedLevel } from '../checked-level.ts';
import { keyOf, PREFIX } from '../keys.ts';
import { KeySet } from './key-set.ts';

/** Number of parts between two progress reports. */
const REPORTED = 2 ** 10;

/**
 * The trie nodes and code that the marked states reach, and the preimages of their keys. A node shared by several states is
 * visited only once. That suffices, because a leaf contains the rest of its key and so has only one position.
 */
export class LiveState {
  readonly #db: CheckedLevel;
  readonly #onMarked: ((count: number) => void) | undefined;
  readonly #reached = new KeySet();

  /** @param deps.onMarked called from time to time with the number of marked parts */
  constructor(deps: { db: CheckedLevel; onMarked?: (count: number) => void }) {
    this.#db = deps.db;
    this.#onMarked = deps.onMarked;
  }

  /** Whether a marked state reaches the node, code or preimage of this key. */
  has(key: Uint8Array): boolean {
    return this.#reached.has(key);
  }

  /**
   * Marks all parts of a state.
   * @param stopped called between steps; `true` skips the rest
   * @throws DataDirError `damaged` when a node is missing
   */
  async mark(root: Uint8Array, stopped: () => boolean): Promise<void> {
    const enter = (hash: Uint8Array) => !stopped() && this.#reached.add(keyOf(PREFIX.node, hash));
    const getNode = (hash: Uint8Array): Uint8Array => {
      const bytes = this.#db.get(keyOf(PREFIX.node, hash));
      if (!bytes) throw this.#db.damaged(`a node of a kept state is missing`);
      return bytes;
    };
    for (const piece of walkState(root, enter, getNode)) {
      await giveWay();
      if (this.#reached.size % REPORTED === 0) this.#onMarked?.(this.#reached.size);
      if (piece.kind !== 'node') this.#reached.add(keyOf(PREFIX.preimage, piece.key));
      if (piece.kind === 'account' && hasCode(piece.account))
        this.#reached.add(keyOf(PREFIX.code, piece.account.codeHash));
    }
  }
}
