import type { BatchWriter } from './batch-writer.ts';
import type { CheckedLevel } from './checked-level.ts';
import { metaKey } from './keys.ts';

/** Small JSON values by name. A rollback doesn't change them. */
export class StoreMeta {
  readonly #db: CheckedLevel;
  readonly #writer: BatchWriter;

  constructor(deps: { db: CheckedLevel; writer: BatchWriter }) {
    this.#db = deps.db;
    this.#writer = deps.writer;
  }

  get(name: string): unknown {
    const bytes = this.#db.get(metaKey(name));
    return bytes && JSON.parse(new TextDecoder().decode(bytes));
  }

  /** @throws Error before the genesis block is committed */
  put(name: string, value: unknown): Promise<void> {
    return this.#writer.write('meta', { [name]: value }, () => {
      const { head } = this.#writer;
      if (!head) throw new Error('the store has no blocks yet');
      return { entries: [], head };
    });
  }
}
