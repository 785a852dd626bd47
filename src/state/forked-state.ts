import { type Address, concatBytes, createAddressFromString, equalsBytes } from '@ethereumjs/util';
import { EMPTY_BYTES, EMPTY_ROOT, encodeSlot, hasCode, NEW_ACCOUNT } from './account.ts';
import type { ChainState } from './chain-state.ts';
import { keccak256 } from './keccak.ts';
import { derived, same } from './lineage.ts';
import type { StateSource, Unstored } from './node-cache.ts';
import type { RemoteState } from './remote-state.ts';
import { UNKNOWN_ROOT } from './remote-state.ts';
import { Trie } from './trie.ts';
import type { TrieState } from './trie-state.ts';
import type { AccountState, Awaitable, StateWrites, StorageWrites } from './view.ts';

const marker = (what: string) => keccak256(new TextEncoder().encode(`devnet: ${what}`));
/** Replaces the code hash of an account that was deleted on the fork. */
const DELETED = marker('deleted');
/** Replaces the code hash of an account of which the fork wrote only storage: all else is the remote's. */
const STORAGE_ONLY = marker('elsewhere');
/** Key in a storage trie, next to slots of 32 bytes: when present, all of the account's remote storage is hidden. */
const HIDDEN = '0x';
const HIDDEN_KEY = new Uint8Array();
/** Prefix of each stored value. It tells a zero that was written on the fork from a slot that was never written. */
const WRITTEN = Uint8Array.of(1);
const HIDING: StorageWrites = { cleared: true, slots: new Map([[HIDDEN, WRITTEN]]) };

/** Root of a storage trie that hides the remote's storage and contains no slots. */
const HIDING_ROOT = Trie.empty().update([[keccak256(HIDDEN_KEY), encodeSlot(WRITTEN)]]).root;

/**
 * The state of a forked chain, which begins as another chain's state at one block. Writes are kept in a local trie,
 * with markers for deletions; everything else is read from the remote. The root is the local trie's, so it covers
 * only the differences from the remote's block.
 */
export class ForkedState implements ChainState {
  readonly #local: TrieState;
  readonly #remote: RemoteState;

  constructor(local: TrieState, remote: RemoteState) {
    this.#local = local;
    this.#remote = remote;
  }

  /** What was written on the fork: the local trie's state, with its markers. */
  get local(): TrieState {
    return this.#local;
  }

  get root(): Uint8Array {
    return this.#local.root;
  }

  get heldNodes(): number {
    return this.#local.heldNodes;
  }

  /** Whether an account, its storage included, was written on the fork as in another state of it, or in neither. */
  hasSameLocally(address: Address, other: ForkedState): boolean {
    const [own, its] = [this.#local.getAccount(address), other.#local.getAccount(address)];
    if (!own || !its) return own === its;
    return (
      own.nonce === its.nonce &&
      own.balance === its.balance &&
      equalsBytes(own.codeHash, its.codeHash) &&
      equalsBytes(own.storageRoot, its.storageRoot)
    );
  }

  getAccount(address: Address): Awaitable<AccountState | undefined> {
    const own = this.#local.getAccount(address);
    if (own === undefined) return this.#remote.getAccount(address);
    if (is(own, DELETED)) return undefined;
    if (!is(own, STORAGE_ONLY)) return { ...own, storageRoot: rootOf(own) };
    const account = this.#remote.getAccount(address);
    const storageRoot = equalsBytes(own.storageRoot, HIDING_ROOT) ? EMPTY_ROOT : UNKNOWN_ROOT;
    const withRoot = (remote: AccountState | undefined) => remote && { ...remote, storageRoot };
    return account instanceof Promise ? account.then(withRoot) : withRoot(account);
  }

  getCode(address: Address): Awaitable<Uint8Array> {
    const own = this.#local.getAccount(address);
    if (own === undefined || is(own, STORAGE_ONLY)) return this.#remote.getCode(address);
    if (is(own, DELETED) || !hasCode(own)) return EMPTY_BYTES;
    // Code that wasn't set on the fork is the remote account's.
    return this.#local.codeOf(own.codeHash) ?? this.#remote.getCode(address);
  }

  getStorage(address: Address, slot: Uint8Array): Awaitable<Uint8Array> {
    const own = this.#local.getAccount(address);
    if (own === undefined || own.storageRoot === EMPTY_ROOT) return this.#remote.getStorage(address, slot);
    const written = this.#local.getStorage(address, slot);
    if (written.length > 0) return written.subarray(1);
    const hidden = this.#local.getStorage(address, HIDDEN_KEY).length > 0;
    return hidden ? EMPTY_BYTES : this.#remote.getStorage(address, slot);
  }

  fold(writes: StateWrites): ForkedState {
    const { accounts, storage, code } = writes;
    if (accounts.size + storage.size + code.size === 0) return this;
    const own = {
      accounts: new Map<string, AccountState | undefined>(),
      storage: new Map<string, StorageWrites>(),
      code,
    };
    for (const [address, account] of accounts) {
      own.accounts.set(address, account ?? { ...NEW_ACCOUNT, codeHash: DELETED });
      if (account === undefined) own.storage.set(address, HIDING);
    }
    for (const [address, slots] of storage) {
      if (accounts.has(address) && accounts.get(address) === undefined) continue;
      own.storage.set(address, marked(slots));
      if (accounts.has(address)) continue;
      const before = this.#local.getAccount(createAddressFromString(address));
      if (before && is(before, DELETED)) own.storage.delete(address);
      else if (!before) own.accounts.set(address, { ...NEW_ACCOUNT, codeHash: STORAGE_ONLY });
    }
    return derived(this, writes, new ForkedState(this.#local.fold(own), this.#remote));
  }

  unstored(): Unstored {
    return this.#local.unstored();
  }

  settled(source: StateSource): ForkedState {
    return same(this, new ForkedState(this.#local.settled(source), this.#remote));
  }
}

function marked({ cleared, slots }: StorageWrites): StorageWrites {
  const own = new Map<string, Uint8Array>();
  if (cleared) own.set(HIDDEN, WRITTEN);
  for (const [slot, value] of slots) own.set(slot, concatBytes(WRITTEN, value));
  return { cleared, slots: own };
}

/** {@link EMPTY_ROOT} only where the storage is certainly empty. */
function rootOf(own: AccountState): Uint8Array {
  if (own.storageRoot === EMPTY_ROOT) return hasCode(own) ? UNKNOWN_ROOT : EMPTY_ROOT;
  return equalsBytes(own.storageRoot, HIDING_ROOT) ? EMPTY_ROOT : own.storageRoot;
}

function is(account: AccountState, mark: Uint8Array): boolean {
  return equalsBytes(account.codeHash, mark);
}
