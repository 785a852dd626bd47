import type { AccountState, StateWrites } from './view.ts';

/** Maximum number of cached accounts. */
const MAX = 64;
/** Maximum number of blocks whose writes are pending, that is, not yet applied to the cache. */
const MAX_WAITING = 16;

/** A block's writes, and the accounts that it wrote with their new values. */
interface Written {
  readonly changed: readonly StateWrites[];
  readonly accounts: () => StateWrites['accounts'];
}

/**
 * A cache of a state's recently read or written accounts, since the next block often reads the same ones. The accounts of a block are
 * decoded lazily, when an account is read.
 */
export class RecentAccounts {
  /** created lazily, because most states are never read before the next block */
  #known: Map<string, AccountState | undefined> | undefined;
  /** pending writes, oldest first */
  #waiting: Written[] | undefined;

  /** Whether no writes are pending. */
  get isCurrent(): boolean {
    return this.#waiting === undefined;
  }

  get(key: string): AccountState | undefined {
    this.#catchUp();
    return this.#known?.get(key);
  }

  has(key: string): boolean {
    return this.#known?.has(key) ?? false;
  }

  add(key: string, account: AccountState | undefined): void {
    this.#known ??= new Map();
    if (this.#known.size < MAX) this.#known.set(key, account);
  }

  /**
   * Moves the cache to a later state.
   * @param changed all writes since this state; written accounts that aren't in `accounts` don't exist
   */
  after(changed: readonly StateWrites[], accounts: () => StateWrites['accounts']): RecentAccounts {
    const later = new RecentAccounts();
    const written = { changed, accounts };
    const waiting = this.#waiting;
    if (waiting && waiting.length === MAX_WAITING) later.#waiting = [written];
    else {
      // The later state takes over the cache, because it is the state that is read from now on.
      later.#known = this.#known;
      waiting?.push(written);
      later.#waiting = waiting ?? [written];
    }
    this.#known = undefined;
    this.#waiting = undefined;
    return later;
  }

  #catchUp(): void {
    if (!this.#waiting) return;
    let known = this.#known ?? new Map<string, AccountState | undefined>();
    for (const { changed, accounts } of this.#waiting) {
      for (const { accounts: some, storage } of changed)
        for (const written of [some, storage]) for (const key of written.keys()) known.delete(key);
      for (const [key, account] of accounts()) known.set(key, account);
    }
    this.#waiting = undefined;
    // Keeps the newest half, to leave room for other accounts.
    if (known.size >= MAX) known = new Map([...known].slice(-MAX / 2));
    this.#known = known;
  }
}
