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
  #known = new Map<string, AccountState | undefined>();
  /** the oldest first */
  #waiting: Written[] = [];

  /** Whether no block's writes wait to be looked at. */
  get isCurrent(): boolean {
    return this.#waiting.length === 0;
  }

  get(key: string): AccountState | undefined {
    this.#catchUp();
    return this.#known.get(key);
  }

  has(key: string): boolean {
    return this.#known.has(key);
  }

  add(key: string, account: AccountState | undefined): void {
    if (this.#known.size < MOST) this.#known.set(key, account);
  }

  /**
   * Those of a later state.
   * @param changed all that was written since; accounts among it that aren't in `accounts` don't exist
   */
  after(changed: readonly StateWrites[], accounts: () => StateWrites['accounts']): RecentAccounts {
    const later = new RecentAccounts();
    // The later state is the one that is read from now on.
    [later.#known, this.#known] = [this.#known, later.#known];
    [later.#waiting, this.#waiting] = [this.#waiting, later.#waiting];
    later.#waiting.push({ changed, accounts });
    if (later.#waiting.length > MOST_WAITING) {
      later.#waiting = [{ changed, accounts }];
      later.#known = new Map();
    }
    return later;
  }

  #catchUp(): void {
    if (this.#waiting.length === 0) return;
    for (const { changed, accounts } of this.#waiting) {
      for (const { accounts: some, storage } of changed)
        for (const written of [some, storage]) for (const key of written.keys()) this.#known.delete(key);
      for (const [key, account] of accounts()) this.#known.set(key, account);
    }
    this.#waiting = [];
    // The newest half, so that there is room for others.
    if (this.#known.size >= MOST) this.#known = new Map([...this.#known].slice(-MOST / 2));
  }
}
