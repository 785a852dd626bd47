import type { Address } from '@ethereumjs/util';

/** A value at once where state is local (memory, LevelDB), a promise where it is fetched (a forked chain). */
export type Awaitable<T> = T | Promise<T>;

/** An account as readers see it: never changed in place. */
export interface AccountState {
  readonly nonce: bigint;
  /** wei */
  readonly balance: bigint;
  /** keccak256 of the code; {@link EMPTY_CODE_HASH} without code */
  readonly codeHash: Uint8Array;
  /**
   * Root of the account's storage trie as last folded. Writes of an open overlay are not in it: ask for slots,
   * not for roots.
   */
  readonly storageRoot: Uint8Array;
}

/**
 * The read seam: all state is read through these three calls. No root, no writes, no block tag. A view never changes
 * once handed out, so two reads of one view can't disagree.
 */
export interface StateView {
  /** `undefined` for an account that doesn't exist. */
  getAccount(address: Address): Awaitable<AccountState | undefined>;
  /** Empty for an account without code. */
  getCode(address: Address): Awaitable<Uint8Array>;
  /**
   * @param slot 32 bytes
   * @returns the value without leading zeros, as the trie keeps it; empty for zero
   */
  getStorage(address: Address, slot: Uint8Array): Awaitable<Uint8Array>;
}

/**
 * What an overlay wrote, ready to be folded into another overlay or a trie. Keys are `0x` hex: addresses of 20 bytes,
 * slots of 32, code hashes of 32.
 */
export interface StateWrites {
  /** `undefined` = deleted. Deleting an account drops its storage too. `storageRoot` of the values is not used. */
  readonly accounts: ReadonlyMap<string, AccountState | undefined>;
  readonly storage: ReadonlyMap<string, StorageWrites>;
  /** by code hash */
  readonly code: ReadonlyMap<string, Uint8Array>;
}

/** Writes to one account's storage: first cleared (when set), then the slots. An empty value deletes. */
export interface StorageWrites {
  readonly cleared: boolean;
  readonly slots: ReadonlyMap<string, Uint8Array>;
}
