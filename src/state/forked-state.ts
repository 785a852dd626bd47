import { type Address, concatBytes, createAddressFromString, equalsBytes } from '@ethereumjs/util';
import { EMPTY_BYTES, EMPTY_ROOT, encodeSlot, hasCode, NEW_ACCOUNT } from './account.ts';
import type { ChainState } from './chain-state.ts';
import { keccak256 } from './keccak.ts';
import { derived, same } from './lineage.ts';
import type { StateSource, Unstored } from './node-cache.ts';
import type { RemoteState } from './remote-state.ts';
import { UNKNOWN_ROOT } from './remote-state.ts';
import { Trie } from './trie.ts';
import type { ComputedRoot, TrieState } from './trie-state.ts';
import type { AccountState, Awaitable, StateWrites, StorageWrites } from './view.ts';
import { isEmpty, LazyWrites } from './writes.ts';

const marker = (what: string) => keccak256(new TextEncoder().encode(`devnet: ${what}`));
/** Replaces the code hash of an account that was deleted on the fork. */
const DELETED = marker('deleted');
/** Replaces the code hash of an account of which the fork wrote only storage: nonce, balance and code are the remote's. */
export const STORAGE_ONLY = marker('elsewhere');
/** Key in a storage trie, besides the 32-byte slots: if present, all of the account's remote storage is hidden. */
const HIDDEN = '0x';
const HIDDEN_KEY = new Uint8Array();
/** Prefix of each stored value. It distinguishes a zero that was written on the fork from a slot that was never written. */
const WRITTEN = Uint8Array.of(1);
const NO_ACCOUNTS: StateWrites['accounts'] = new Map();
const HIDING: StorageWrites = { cleared: true, slots: new Map([[HIDDEN, WRITTEN]]) };

/** Root of a storage trie that hides the remote's storage and contains no slots. */
const HIDING_ROOT = Trie.empty().update([[keccak256(HIDDEN_KEY), encodeSlot(WRITTEN)]]).root;

/** A fold that hasn't been applied to the tries yet. */
interface Waiting {
  readonly before: ForkedState;
  readonly writes: StateWrites;
}

/** The local trie's record of an account. */
interface OwnRecord {
  /** whether the record contains nonce, balance and code */
  readonly isWhole: boolean;
  /** whether the record hides all remote storage and has no slots: the account was deleted on the fork, and perhaps created again */
  readonly hidesAll: boolean;
  /** root of the trie of the slots that were written on the fork */
  readonly storageRoot: Uint8Array;
}

/**
 * The state of a forked chain, which begins as another chain's state at one block. A local trie contains the writes,
 * with markers for deletions; everything else is read from the remote. The root is the local trie's, so it covers
 * only the differences from the remote state.
 */
export class ForkedState implements ChainState {
  readonly #local: TrieState;
  readonly #remote: RemoteState;
  #waiting: Waiting | undefined;
  #elsewhere: ComputedRoot['accountOf'] | undefined;

  constructor(local: TrieState, remote: RemoteState) {
    this.#local = local;
    this.#remote = remote;
  }

  /** The writes on the fork: the local trie's state, including its markers. */
  get local(): TrieState {
    return this.#local;
  }

  /** The other chain's state. */
  get remote(): RemoteState {
    return this.#remote;
  }

  get root(): Uint8Array {
    return this.#local.root;
  }

  get heldNodes(): number {
    return this.#local.heldNodes;
  }

  /** See {@link TrieState.waiting}. */
  get waiting(): Waiting | undefined {
    if (!this.#local.waiting) this.#waiting = undefined;
    return this.#waiting;
  }

  /** Whether all nodes and code of the local trie are stored. */
  get isStored(): boolean {
    return this.#local.isStored;
  }

  /** RLP of a stored node of a local trie. */
  getNode(hash: Uint8Array): Uint8Array | undefined {
    return this.#local.getNode(hash);
  }

  /** Whether the local tries were built, or {@link useRoot} has set the root. */
  get hasRoot(): boolean {
    return this.#local.hasRoot;
  }

  /** Sets the root that the core computed from the same writes, so that this state doesn't have to build its tries. */
  useRoot({ root, unstored, accountOf }: ComputedRoot): void {
    this.#elsewhere = accountOf;
    const take = (): ReturnType<ComputedRoot['unstored']> => {
      const taken = unstored();
      // The core's accounts also contain the remote's fields, which the local trie doesn't have.
      return taken && { ...taken, accounts: () => NO_ACCOUNTS };
    };
    this.#local.useRoot({ root, unstored: take, accountOf: () => null });
  }

  /** The local trie's record of an account; `undefined` if it has none. */
  ownRecord(address: Address): OwnRecord | undefined {
    const own = this.#local.getAccount(address);
    if (own === undefined) return undefined;
    const { storageRoot } = own;
    return { isWhole: !is(own, STORAGE_ONLY), hidesAll: equalsBytes(storageRoot, HIDING_ROOT), storageRoot };
  }

  /** Whether an account and its storage have the same local record as in another state of the fork, or have none in both. */
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
    const there = this.#elsewhere?.(address) ?? null;
    if (there) return there;
    const own = this.#local.getAccount(address);
    if (own === undefined) return this.#remote.getAccount(address);
    if (is(own, DELETED)) return undefined;
    if (!is(own, STORAGE_ONLY)) return { ...own, storageRoot: rootOf(own) };
    const account = this.#remote.getAccount(address);
    const storageRoot = rootOf(own);
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
    if (own !== undefined && !isNone(own.storageRoot)) {
      const written = this.#local.getStorage(address, slot);
      if (written.length > 0) return written.subarray(1);
      if (this.#local.getStorage(address, HIDDEN_KEY).length > 0) return EMPTY_BYTES;
    }
    // For a contract that was created on the fork, unwritten slots are zero without asking the remote.
    const isNew = own !== undefined && !is(own, STORAGE_ONLY) && this.#remote.lacks(address);
    return isNew ? EMPTY_BYTES : this.#remote.getStorage(address, slot);
  }

  fold(writes: StateWrites): ForkedState {
    if (isEmpty(writes)) return this;
    const own = new LazyWrites(() => this.#ownWrites(writes));
    const folded = new ForkedState(this.#local.fold(own), this.#remote);
    folded.#waiting = { before: this, writes };
    // The local state has built its tries if too many folds were unapplied.
    if (!this.#local.waiting) this.#waiting = undefined;
    return derived(this, writes, folded);
  }

  /** Converts writes to the local trie's format, with its markers. */
  #ownWrites({ accounts, storage, code }: StateWrites): StateWrites {
    const own = {
      accounts: new Map<string, AccountState | undefined>(),
      storage: new Map<string, StorageWrites>(),
      code,
    };
    for (const [address, account] of accounts) {
      // An engine may delete an account that it touched and that doesn't exist anywhere: there is nothing to hide.
      if (!account && this.#isNowhere(createAddressFromString(address))) continue;
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
    return own;
  }

  #isNowhere(address: Address): boolean {
    return !this.#local.getAccount(address) && this.#remote.lacks(address);
  }

  unstored(): Unstored {
    return this.#local.unstored();
  }

  asStored(source: StateSource): ForkedState {
    const stored = new ForkedState(this.#local.asStored(source), this.#remote);
    stored.#elsewhere = this.#elsewhere;
    return same(this, stored);
  }
}

function marked({ cleared, slots }: StorageWrites): StorageWrites {
  const own = new Map<string, Uint8Array>();
  if (cleared) own.set(HIDDEN, WRITTEN);
  for (const [slot, value] of slots) own.set(slot, concatBytes(WRITTEN, value));
  return { cleared, slots: own };
}

/** Returns {@link EMPTY_ROOT} only if the storage is certainly empty. */
function rootOf(own: AccountState): Uint8Array {
  if (isNone(own.storageRoot)) return hasCode(own) ? UNKNOWN_ROOT : EMPTY_ROOT;
  return equalsBytes(own.storageRoot, HIDING_ROOT) ? EMPTY_ROOT : own.storageRoot;
}

function isNone(root: Uint8Array): boolean {
  return root === EMPTY_ROOT || equalsBytes(root, EMPTY_ROOT);
}

function is(account: AccountState, mark: Uint8Array): boolean {
  return equalsBytes(account.codeHash, mark);
}
