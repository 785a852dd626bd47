import type { Address } from '@ethereumjs/util';
import { EMPTY_BYTES, EMPTY_CODE_HASH, EMPTY_ROOT } from './account.ts';
import { hexKey } from './hex-key.ts';
import { keccak256 } from './keccak.ts';
import type { AccountState, Awaitable, StateView } from './view.ts';

/** What a state is fetched from. */
export interface RemoteReads {
  account(address: Uint8Array): Promise<{ nonce: bigint; balance: bigint; code: Uint8Array }>;
  /** @returns the value without leading zeros */
  storage(address: Uint8Array, slot: Uint8Array): Promise<Uint8Array>;
}

/**
 * The storage root of an account whose storage isn't known: no root that a trie has. What asks a root whether there is
 * storage at all learns that there may be.
 */
export const UNKNOWN_ROOT = new Uint8Array(32);

interface Fetched {
  readonly account: AccountState | undefined;
  readonly code: Uint8Array;
}

/**
 * The state of another chain at one block, fetched when it is asked for and then kept: it never changes. What is here
 * is answered at once, the rest with a promise; what failed is asked for again next time.
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

  getCode(address: Address): Awaitable<Uint8Array> {
    const fetched = this.#fetched(address);
    return fetched instanceof Promise ? quiet(fetched.then(({ code }) => code)) : fetched.code;
  }

  getStorage(address: Address, slot: Uint8Array): Awaitable<Uint8Array> {
    const key = hexKey(address.bytes) + hexKey(slot);
    return kept(this.#slots, key, () => this.#reads.storage(address.bytes, slot));
  }

  #fetched({ bytes }: Address): Awaitable<Fetched> {
    return kept(this.#accounts, hexKey(bytes), async () => {
      const { nonce, balance, code } = await this.#reads.account(bytes);
      // JSON-RPC doesn't tell an empty account from none.
      if (nonce === 0n && balance === 0n && code.length === 0)
        return { account: undefined, code: EMPTY_BYTES };
      const codeHash = code.length === 0 ? EMPTY_CODE_HASH : keccak256(code);
      const storageRoot = code.length === 0 ? EMPTY_ROOT : UNKNOWN_ROOT;
      return { account: { nonce, balance, codeHash, storageRoot }, code };
    });
  }
}

function kept<V>(known: Map<string, Awaitable<V>>, key: string, fetch: () => Promise<V>): Awaitable<V> {
  const found = known.get(key);
  if (found !== undefined) return found;
  const fetching = quiet(fetch());
  known.set(key, fetching);
  fetching.then(
    (value) => known.set(key, value),
    () => known.delete(key),
  );
  return fetching;
}

/** Some ask and never look at the answer, which must not end the process where it is an error. */
function quiet<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => {});
  return promise;
}
