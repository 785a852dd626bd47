import { type Address, bytesToHex } from '@ethereumjs/util';
import {
  decodeAccount,
  decodeSlot,
  EMPTY_BYTES,
  EMPTY_ROOT,
  encodeAccount,
  encodeSlot,
  hasCode,
} from './account.ts';
import type { ChainState } from './chain-state.ts';
import type { EncodedEntries } from './encoded-entries.ts';
import { hexKey, keyBytes } from './hex-key.ts';
import { keccak256 } from './keccak.ts';
import { derived, same } from './lineage.ts';
import type { StateSource, Unstored } from './node-cache.ts';
import { RecentAccounts } from './recent-accounts.ts';
import { Trie } from './trie.ts';
import type { AccountState, StateWrites, StorageWrites } from './view.ts';
import { isEmpty } from './writes.ts';

/** A proof of an account (EIP-1186). Nodes are RLP, from the root down. */
export interface AccountProof {
  /** `undefined`: the proof shows that the account doesn't exist */
  readonly account: AccountState | undefined;
  readonly accountProof: readonly Uint8Array[];
  readonly storageHash: Uint8Array;
}

/** A proof of a slot against its account's storage root. */
export interface SlotProof {
  readonly value: Uint8Array;
  readonly proof: readonly Uint8Array[];
}

/** Addresses and slots that were hashed by folds, as a linked list, newest fold first. */
interface Preimages {
  readonly entries: readonly (readonly [hash: Uint8Array, preimage: Uint8Array])[];
  readonly earlier: Preimages | undefined;
}

/** A range of an account's storage, in the order of the hashed slots. */
export interface StorageRange {
  readonly entries: readonly { readonly hashedSlot: Uint8Array; readonly value: Uint8Array }[];
  /** the hashed slot where the next range starts; `undefined` at the end */
  readonly next: Uint8Array | undefined;
}

/** Maximum number of storage tries in memory, because each fold copies the map. When exceeded, half as many stay: the newest. */
const MAX_HELD_STORAGE = 64;

/** The tries of a state, and the code and preimages that must be stored with them. */
interface Tries {
  readonly accounts: Trie;
  /** storage tries that folds changed, by `0x` address */
  readonly storage: ReadonlyMap<string, Trie>;
  /** code that folds set, by `0x` hash */
  readonly code: ReadonlyMap<string, Uint8Array>;
  readonly preimages: Preimages | undefined;
}

/** A fold that hasn't been applied to the tries yet. */
interface Waiting {
  readonly before: TrieState;
  readonly writes: StateWrites;
  /** number of folds since the last state that has tries */
  readonly depth: number;
}

/** The entries that must be stored. */
export interface UnstoredState {
  readonly encoded: EncodedEntries;
  /** the written accounts, by `0x` address; `undefined` if there are too many */
  readonly accounts: (() => StateWrites['accounts']) | undefined;
}

/** A state root that the core (WebAssembly) computed. */
export interface ComputedRoot {
  /** 32 bytes */
  readonly root: Uint8Array;
  /** All entries that must be stored before the state can be opened at this root; `undefined` if the core no longer has them. */
  unstored(): UnstoredState | undefined;
  /** An account of the state, while the core still has the state; `null` afterwards. */
  accountOf(address: Address): AccountState | undefined | null;
}

/** Maximum number of unapplied folds that a read has to search. */
const MAX_WAITING = 256;

/**
 * A complete state with one root: accounts and storage in tries keyed by keccak256 (yellow paper 4.1). Immutable:
 * `fold` returns a new state, whose tries are built lazily. New nodes stay in memory until they are stored and the state
 * is opened again at its root.
 */
export class TrieState implements ChainState {
  readonly #source: StateSource;
  #tries: Tries | undefined;
  #waiting: Waiting | undefined;
  #computed: (ComputedRoot & { taken?: UnstoredState | undefined }) | undefined;

  readonly #recent: RecentAccounts;
  #elsewhere: ComputedRoot['accountOf'] | undefined;

  private constructor(source: StateSource, content: Tries | Waiting, recent = new RecentAccounts()) {
    this.#source = source;
    this.#recent = recent;
    if ('before' in content) this.#waiting = content;
    else this.#tries = content;
  }

  /** @param root 32 bytes; {@link EMPTY_ROOT} for a state without accounts */
  static at(source: StateSource, root: Uint8Array): TrieState {
    return new TrieState(source, triesAt(source, root));
  }

  /** State root, 32 bytes. The first read after a fold hashes the changed nodes. */
  get root(): Uint8Array {
    return this.#computed?.root ?? this.#folded().accounts.root;
  }

  /** The root of this state's own tries, even if {@link useRoot} has set one. */
  get rootOfTries(): Uint8Array {
    return this.#folded().accounts.root;
  }

  getAccount(address: Address): AccountState | undefined {
    return this.#accountOf(hexKey(address.bytes), address);
  }

  /** @throws Error naming the code hash when the source lacks it */
  getCode(address: Address): Uint8Array {
    const account = this.getAccount(address);
    if (account === undefined || !hasCode(account)) return EMPTY_BYTES;
    const code = this.codeOf(account.codeHash);
    if (code === undefined) throw new Error(`missing code ${bytesToHex(account.codeHash)}`);
    return code;
  }

  /** Code by its hash, of any account now or earlier; `undefined` if neither a fold nor the source has it. */
  codeOf(hash: Uint8Array): Uint8Array | undefined {
    const key = bytesToHex(hash);
    let state: TrieState = this;
    for (; !state.#tries; state = state.#waiting!.before) {
      const code = state.#waiting!.writes.code.get(key);
      if (code) return code;
    }
    return state.#tries.code.get(key) ?? this.#source.getCode(hash);
  }

  getStorage(address: Address, slot: Uint8Array): Uint8Array {
    const [key, slotKey] = [address.toString(), hexKey(slot)];
    let state: TrieState = this;
    for (; !state.#tries; state = state.#waiting!.before) {
      const { accounts, storage } = state.#waiting!.writes;
      if (accounts.has(key) && !accounts.get(key)) return EMPTY_BYTES;
      const record = storage.get(key);
      if (!record) continue;
      // A fold drops slots of accounts that don't exist.
      if (!accounts.has(key) && !state.#waiting!.before.#accountOf(key, address)) return EMPTY_BYTES;
      const written = record.slots.get(slotKey);
      if (written) return written;
      if (record.cleared) return EMPTY_BYTES;
    }
    const leaf = state.#storageOf(address).get(keccak256(slot));
    return leaf ? decodeSlot(leaf) : EMPTY_BYTES;
  }

  /**
   * Returns the state after the writes. The caller must not change `writes` afterwards. Empty accounts are written too: the code
   * that executes transactions must remove them (EIP-161). Slots of accounts that don't exist are dropped.
   */
  fold(writes: StateWrites): TrieState {
    if (isEmpty(writes)) return this;
    if (this.#waiting?.depth === MAX_WAITING) this.#folded();
    const depth = (this.#waiting?.depth ?? 0) + 1;
    return derived(this, writes, new TrieState(this.#source, { before: this, writes, depth }));
  }

  /**
   * Builds and hashes the tries of a fold now instead of lazily.
   * @param report called with the finished share, 0 to 1, first of the tries and then of the hashes
   */
  foldNow(report: (part: 'tries' | 'hashes', share: number) => void): void {
    this.#folded((share) => report('tries', share)).accounts.hash((share) => report('hashes', share));
  }

  /** The state before the last fold and the fold's writes, until they are applied to the tries. */
  get waiting(): { readonly before: TrieState; readonly writes: StateWrites } | undefined {
    return this.#waiting;
  }

  /** Whether the state can be opened at its root: all its nodes and code are stored. */
  get isStored(): boolean {
    if (!this.#tries) return false;
    const { accounts, storage, code } = this.#tries;
    if (code.size > 0 || accounts.hasUnstored) return false;
    return storage.size === 0 || [...storage.values()].every((trie) => !trie.hasUnstored);
  }

  /** RLP of a stored trie node. */
  getNode(hash: Uint8Array): Uint8Array | undefined {
    return this.#source.getNode(hash);
  }

  /** Whether the tries were built, or {@link useRoot} has set the root. */
  get hasRoot(): boolean {
    return (this.#computed ?? this.#tries) !== undefined;
  }

  /** Sets the root that the core computed from the same writes, so that this state doesn't have to build its tries. */
  useRoot(computed: ComputedRoot): void {
    if (!this.#tries) this.#computed = computed;
  }

  /** Builds the tries if they are missing. */
  #folded(report?: (share: number) => void): Tries {
    if (!this.#tries) {
      const { before, writes } = this.#waiting!;
      this.#tries = before.#foldedWith(writes, report);
      this.#waiting = undefined;
    }
    return this.#tries;
  }

  #foldedWith(writes: StateWrites, report?: (share: number) => void): Tries {
    const before = this.#folded();
    const storage = new Map(before.storage);
    const leaves: [Uint8Array, Uint8Array | undefined][] = [];
    const hashed: [Uint8Array, Uint8Array][] = [];
    const change = (address: string, given: AccountState | undefined, slots: StorageWrites | undefined) => {
      const bytes = keyBytes(address);
      const key = keccak256(bytes);
      if (given === undefined) {
        storage.delete(address);
        leaves.push([key, undefined]);
        return;
      }
      const known = this.#accountAt(key);
      if (!known) hashed.push([key, bytes]);
      let storageRoot = slots?.cleared ? EMPTY_ROOT : (known?.storageRoot ?? EMPTY_ROOT);
      if (slots !== undefined) {
        const folded = slots.cleared ? undefined : storage.get(address);
        const trie = (folded ?? Trie.at(this.#source, storageRoot)).update(slotLeaves(slots, hashed));
        storageRoot = trie.root;
        // Deleted first, so that the most recently written trie is the last one in the map.
        storage.delete(address);
        storage.set(address, trie);
      }
      leaves.push([key, encodeAccount({ ...given, storageRoot })]);
    };
    let changed = 0;
    for (const [address, account] of writes.accounts) {
      change(address, account, writes.storage.get(address));
      report?.(++changed / writes.accounts.size);
    }
    for (const [address, slots] of writes.storage) {
      if (writes.accounts.has(address)) continue;
      const account = this.#accountAt(keccak256(keyBytes(address)));
      if (account !== undefined) change(address, account, slots);
    }
    return {
      accounts: before.accounts.update(leaves),
      storage,
      code: writes.code.size === 0 ? before.code : new Map([...before.code, ...writes.code]),
      preimages: hashed.length > 0 ? { entries: hashed, earlier: before.preimages } : before.preimages,
    };
  }

  /** The addresses and slots that aren't stored yet, by their keccak256 (the key in the tries), newest first. */
  *preimages(): Iterable<readonly [hash: Uint8Array, preimage: Uint8Array]> {
    for (let part = this.#folded().preimages; part; part = part.earlier) yield* part.entries;
  }

  /** The trie of the accounts. */
  get accountTrie(): Trie {
    return this.#folded().accounts;
  }

  /** The trie of an account's storage. */
  storageTrie(address: Address): Trie {
    return this.#storageOf(address);
  }

  /** All entries that must be stored before `TrieState.at` can open this state. */
  unstored(): Unstored {
    if (this.#computed) {
      this.#computed.taken ??= this.#computed.unstored();
      if (this.#computed.taken) return this.#computed.taken.encoded.parts;
      this.#computed = undefined;
    }
    const { accounts, storage, code } = this.#folded();
    const tries = [accounts, ...storage.values()];
    return {
      nodes: (function* () {
        for (const trie of tries) yield* trie.unstored();
      })(),
      code: (function* () {
        for (const [hash, bytes] of code) yield [keyBytes(hash), bytes] as const;
      })(),
      preimages: this.preimages(),
    };
  }

  /**
   * Returns the same state with its nodes marked as stored. The caller must have stored the result of {@link unstored} in
   * `source`, or have begun to. {@link unstored} of later folds then returns only the new entries. The nodes stay in memory
   * for reads and for the next folds.
   */
  asStored(source: StateSource): TrieState {
    if (this.#computed) {
      const { root, taken, accountOf } = this.#computed;
      const recent = taken && this.#recentWith(taken.accounts);
      const stored = new TrieState(source, triesAt(source, root), recent);
      stored.#elsewhere = accountOf;
      return same(this, stored);
    }
    if (this.isStored) {
      if (this.#source === source) return this;
      const moved = new TrieState(source, triesAt(source, this.root), this.#recent);
      moved.#elsewhere = this.#elsewhere;
      return same(this, moved);
    }
    const tries = this.#folded();
    const storage = [...tries.storage].map(([address, trie]) => [address, trie.asStored(source)] as const);
    const held = storage.length > MAX_HELD_STORAGE ? storage.slice(-MAX_HELD_STORAGE / 2) : storage;
    const accounts = tries.accounts.asStored(source);
    const stored = { accounts, storage: new Map(held), code: new Map(), preimages: undefined };
    return same(this, new TrieState(source, stored));
  }

  /** Number of trie nodes in memory: those that folds created since the state was opened at its root. */
  get heldNodes(): number {
    if (this.#computed) return 0;
    const { accounts, storage } = this.#folded();
    return [accounts, ...storage.values()].reduce((sum, trie) => sum + trie.heldNodes, 0);
  }

  proveAccount(address: Address): AccountProof {
    const account = this.getAccount(address);
    return {
      account,
      accountProof: this.#folded().accounts.prove(keccak256(address.bytes)),
      storageHash: account?.storageRoot ?? EMPTY_ROOT,
    };
  }

  /** Makes the proofs lazily. @param slots 32 bytes each */
  *proveSlots(address: Address, slots: Iterable<Uint8Array>): Generator<SlotProof> {
    const trie = this.#storageOf(address);
    for (const slot of slots)
      yield { value: this.getStorage(address, slot), proof: trie.prove(keccak256(slot)) };
  }

  /**
   * The entries of an account's storage trie, in the order of the hashed slots.
   * @param address 20 bytes
   * @param storageRoot root of the account's storage
   */
  storageLeaves(
    address: Uint8Array,
    storageRoot: Uint8Array,
  ): Iterable<readonly [hashedSlot: Uint8Array, leaf: Uint8Array]> {
    const { storage } = this.#folded();
    const folded = storage.size > 0 ? storage.get(hexKey(address)) : undefined;
    return (folded ?? Trie.at(this.#source, storageRoot)).entries();
  }

  /** @param start hashed slot, inclusive */
  storageEntries(address: Address, start: Uint8Array, limit: number): StorageRange {
    const entries: { hashedSlot: Uint8Array; value: Uint8Array }[] = [];
    for (const [hashedSlot, leaf] of this.#storageOf(address).entries(start)) {
      if (entries.length === limit) return { entries, next: hashedSlot };
      entries.push({ hashedSlot, value: decodeSlot(leaf) });
    }
    return { entries, next: undefined };
  }

  #accountAt(key: Uint8Array): AccountState | undefined {
    const leaf = this.#folded().accounts.get(key);
    return leaf && decodeAccount(leaf);
  }

  /** @param key the address as `0x` hex */
  #accountOf(key: string, address: Address): AccountState | undefined {
    let wroteStorage = false;
    let written: AccountState | undefined;
    let state: TrieState = this;
    for (; !state.#tries; state = state.#waiting!.before) {
      const { accounts, storage } = state.#waiting!.writes;
      wroteStorage ||= storage.has(key);
      if (!accounts.has(key)) continue;
      const account = accounts.get(key);
      if (!account && !written) return undefined;
      wroteStorage ||= !account;
      written ??= account;
    }
    // Only the tries give the new storage root.
    if (wroteStorage) return this.#accountAt(keccak256(address.bytes));
    const known = state.#recentAccount(key, address);
    return written ? { ...written, storageRoot: known?.storageRoot ?? EMPTY_ROOT } : known;
  }

  #recentAccount(key: string, address: Address): AccountState | undefined {
    const recent = this.#recent;
    if (recent.isCurrent && recent.has(key)) return recent.get(key);
    const found = this.#elsewhere ? this.#elsewhere(address) : null;
    if (found !== null) return found;
    const known = recent.get(key);
    if (known || recent.has(key)) return known;
    const account = this.#accountAt(keccak256(address.bytes));
    recent.add(key, account);
    return account;
  }

  /** The recent accounts that haven't changed since, and the given written ones. */
  #recentWith(accounts: UnstoredState['accounts'], changed: StateWrites[] = []): RecentAccounts {
    if (!accounts) return new RecentAccounts();
    let state: TrieState = this;
    for (; !state.#tries; state = state.#waiting!.before) changed.push(state.#waiting!.writes);
    return state.#recent.after(changed, accounts);
  }

  #storageOf(address: Address): Trie {
    const { storage } = this.#folded();
    const folded = storage.size > 0 ? storage.get(address.toString()) : undefined;
    return folded ?? Trie.at(this.#source, this.getAccount(address)?.storageRoot ?? EMPTY_ROOT);
  }
}

const NO_TRIES: ReadonlyMap<string, Trie> = new Map();
const NO_CODE: ReadonlyMap<string, Uint8Array> = new Map();

function triesAt(source: StateSource, root: Uint8Array): Tries {
  return { accounts: Trie.at(source, root), storage: NO_TRIES, code: NO_CODE, preimages: undefined };
}

/** @param hashed receives each slot that is set to a value, with its hash */
function* slotLeaves(
  writes: StorageWrites,
  hashed: [Uint8Array, Uint8Array][],
): Iterable<[Uint8Array, Uint8Array | undefined]> {
  for (const [slot, value] of writes.slots) {
    const bytes = keyBytes(slot);
    const key = keccak256(bytes);
    if (value.length > 0) hashed.push([key, bytes]);
    yield [key, value.length === 0 ? undefined : encodeSlot(value)];
  }
}
