import type { AccountState, StateWrites } from './view.ts';

/** Accounts that are kept. */
const MOST = 64;
/** Blocks whose writes wait to be looked at. */
const MOST_WAITING = 16;

/** A block's writes, and the accounts that it wrote as they are now. */
interface Written {
  readonly changed: readonly StateWrites[];
  readonly accounts: () => StateWrites['accounts'];
}

/**
 * Accounts of a state that were read or written lately: the next block often reads the same ones. Those of a block are
 * looked at only when somebody reads an account.
 */
export class RecentAccounts {
  /** made when there is one to keep: most states are never read before the next block */
  #known: Map<string, AccountState | undefined> | undefined;
  /** the oldest first */
  #waiting: Written[] | undefined;

  /** Whether no block's writes wait to be looked at. */
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
    if (this.#known.size < MOST) this.#known.set(key, account);
  }

  /**
   * Those of a later state.
   * @param changed all that was written since; accounts among it that aren't in `accounts` don't exist
   */
  after(changed: readonly StateWrites[], accounts: () => StateWrites['accounts']): RecentAccounts {
    const later = new RecentAccounts();
    const written = { changed, accounts };
    const waiting = this.#waiting;
    if (waiting && waiting.length === MOST_WAITING) later.#waiting = [written];
    else {
      // The later state is the one that is read from now on.
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
    // The newest half, so that there is room for others.
    if (known.size >= MOST) known = new Map([...known].slice(-MOST / 2));
    this.#known = known;
  }
}
