import type { Address } from '@ethereumjs/util';

/** A plain value if the state is local (memory, LevelDB); a promise if it has to be fetched (on a forked chain). */
export type Awaitable<T> = T | Promise<T>;

/** Calls `use` with a value: synchronously if it is available, otherwise when its promise resolves. */
export function andThen<T, R>(value: Awaitable<T>, use: (value: T) => Awaitable<R>): Awaitable<R> {
  return value instanceof Promise ? value.then(use) : use(value);
}

/** Calls `recover` if `make` throws or rejects. @param recover receives the error, and may rethrow it */
export function orElse<T>(make: () => Awaitable<T>, recover: (error: unknown) => Awaitable<T>): Awaitable<T> {
  try {
    const made = make();
    return made instanceof Promise ? made.catch(recover) : made;
  } catch (error) {
    return recover(error);
  }
}

/** Disposes of `resource` when `make` has returned or resolved, or has failed. */
export function endingWith<T>(resource: Disposable | undefined, make: () => Awaitable<T>): Awaitable<T> {
  if (!resource) return make();
  const end = () => resource[Symbol.dispose]();
  let value: Awaitable<T> | undefined;
  try {
    value = make();
  } finally {
    if (!(value instanceof Promise)) end();
  }
  if (value instanceof Promise) value.then(end, end);
  return value;
}

/**
 * Calls `step` for each item, in order. Waits only for promises.
 * @param step returns `false` to skip the remaining items
 * @returns whether no step returned `false`
 */
export function inOrder<T>(
  items: Iterable<T>,
  step: (item: T) => Awaitable<boolean | undefined>,
): Awaitable<boolean> {
  const left = items[Symbol.iterator]();
  const goOn = (): Awaitable<boolean> => {
    for (let next = left.next(); !next.done; next = left.next()) {
      const done = step(next.value);
      if (done instanceof Promise) return done.then((isDone) => isDone !== false && goOn());
      if (done === false) return false;
    }
    return true;
  };
  return goOn();
}

/** An account; never changed in place. */
export interface AccountState {
  readonly nonce: bigint;
  /** wei */
  readonly balance: bigint;
  /** keccak256 of the code; {@link EMPTY_CODE_HASH} without code */
  readonly codeHash: Uint8Array;
  /** Root of the storage trie after the last fold, without the writes of overlays. */
  readonly storageRoot: Uint8Array;
}

/** Read access to a state, through these three methods only. The state doesn't change as long as a reader has the view. */
export interface StateView {
  /** `undefined` for an account that doesn't exist. */
  getAccount(address: Address): Awaitable<AccountState | undefined>;
  /** Empty for an account without code. */
  getCode(address: Address): Awaitable<Uint8Array>;
  /** @param slot 32 bytes @returns the value without leading zeros, as stored in the trie; empty for zero */
  getStorage(address: Address, slot: Uint8Array): Awaitable<Uint8Array>;
}

/** An overlay's writes, to be folded. Keys are `0x` hex: addresses of 20 bytes, slots and code hashes of 32. */
export interface StateWrites {
  /** `undefined` deletes the account and its storage. `storageRoot` of the values is not used. */
  readonly accounts: ReadonlyMap<string, AccountState | undefined>;
  readonly storage: ReadonlyMap<string, StorageWrites>;
  /** by code hash */
  readonly code: ReadonlyMap<string, Uint8Array>;
}

/** Writes to one account's storage. `cleared`: all slots are deleted first. An empty value deletes. */
export interface StorageWrites {
  readonly cleared: boolean;
  readonly slots: ReadonlyMap<string, Uint8Array>;
}
