import type { Address } from '@ethereumjs/util';
import { EMPTY_BYTES, EMPTY_CODE_HASH, EMPTY_ROOT } from './account.ts';
import { hexKey } from './hex-key.ts';
import { keccak256 } from './keccak.ts';
import { type AccountState, type Awaitable, andThen, type StateView } from './view.ts';

/** An account as another node reports it. */
interface Told {
  readonly nonce: bigint;
  /** wei */
  readonly balance: bigint;
  readonly code: Uint8Array;
}

/** Reads of a remote state. They return cached values synchronously, and a promise for values that have to be fetched. */
export interface RemoteReads {
  account(address: Uint8Array): Awaitable<Told>;
  /** @returns the value without leading zeros */
  storage(address: Uint8Array, slot: Uint8Array): Awaitable<Uint8Array>;
}

/** Placeholder for an unknown storage root. No trie has this root, so it differs from {@link EMPTY_ROOT}. */
export const UNKNOWN_ROOT = new Uint8Array(32);

interface Fetched {
  readonly account: AccountState | undefined;
  readonly code: Uint8Array;
}

/**
 * The state of another chain at one block. Values are fetched lazily and then cached, since they never change: a cached
 * value is returned synchronously, any other as a promise. A failed fetch isn't cached, so the next read tries again.
 */
export class RemoteState implements StateView {
  readonly #reads: RemoteReads;
  readonly #accounts = new Map<string, Awaitable<Fetched>>();
  readonly #slots = new Map<string, Awaitable<Uint8Array>>();

  constructor(deps: { reads: RemoteReads }) {
    this.#reads = deps.reads;
  }

  getAccount(address: Address): Awaitable<AccountState | undefined> {
    const fetched = this.#fetched(address);
    return fetched instanceof Promise ? quiet(fetched.then(({ account }) => account)) : fetched.account;
  }

  /** Whether it is already known that the account doesn't exist on the other chain. */
  lacks({ bytes }: Address): boolean {
    const known = this.#accounts.get(hexKey(bytes));
    return known !== undefined && !(known instanceof Promise) && !known.account;
  }

  getCode(address: Address): Awaitable<Uint8Array> {
    const fetched = this.#fetched(address);
    return fetched instanceof Promise ? quiet(fetched.then(({ code }) => code)) : fetched.code;
  }

  getStorage(address: Address, slot: Uint8Array): Awaitable<Uint8Array> {
    const key = hexKey(address.bytes) + hexKey(slot);
    return kept(this.#slots, key, () => this.#reads.storage(address.bytes, slot));
  }

  #fetched({ bytes }: Address): Awaitable<Fetched> {
    return kept(this.#accounts, hexKey(bytes), () => andThen(this.#reads.account(bytes), accountOf));
  }
}

function accountOf({ nonce, balance, code }: Told): Fetched {
  // JSON-RPC can't distinguish an empty account from one that doesn't exist.
  if (nonce === 0n && balance === 0n && code.length === 0) return { account: undefined, code: EMPTY_BYTES };
  const codeHash = code.length === 0 ? EMPTY_CODE_HASH : keccak256(code);
  const storageRoot = code.length === 0 ? EMPTY_ROOT : UNKNOWN_ROOT;
  return { account: { nonce, balance, codeHash, storageRoot }, code };
}

function kept<V>(known: Map<string, Awaitable<V>>, key: string, read: () => Awaitable<V>): Awaitable<V> {
  const existing = known.get(key);
  if (existing !== undefined) return existing;
  const value = read();
  if (!(value instanceof Promise)) {
    known.set(key, value);
    return value;
  }
  const fetching = quiet(value);
  known.set(key, fetching);
  fetching.then(
    (value) => known.set(key, value),
    () => known.delete(key),
  );
  return fetching;
}

/** Some callers never await the promise: its rejection must not end the process. */
function quiet<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => {});
  return promise;
}
