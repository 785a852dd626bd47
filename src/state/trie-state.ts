import { type Address, bytesToHex, hexToBytes, type PrefixedHexString } from '@ethereumjs/util';
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
import { keccak256 } from './keccak.ts';
import type { StateSource, Unstored } from './node-cache.ts';
import { Trie } from './trie.ts';
import type { AccountState, StateWrites, StorageWrites } from './view.ts';

/** EIP-1186. Nodes are RLP, from the root down. */
export interface StateProof {
  /** `undefined` = proven missing */
  readonly account: AccountState | undefined;
  readonly accountProof: readonly Uint8Array[];
  readonly storageHash: Uint8Array;
  readonly storage: readonly {
    readonly slot: Uint8Array;
    readonly value: Uint8Array;
    readonly proof: readonly Uint8Array[];
  }[];
}

/** What folds hashed, the newest first. */
interface Preimages {
  readonly entries: readonly (readonly [hash: Uint8Array, preimage: Uint8Array])[];
  readonly earlier: Preimages | undefined;
}

/** A piece of an account's storage in the order of the hashed slots. */
export interface StorageRange {
  readonly entries: readonly { readonly hashedSlot: Uint8Array; readonly value: Uint8Array }[];
  /** the hashed slot where the next piece starts; `undefined` at the end */
  readonly next: Uint8Array | undefined;
}

/** Storage tries that a settled state keeps, those written last: each fold copies their list. */
const MAX_HELD_STORAGE = 64;

/**
 * A whole state under one root: accounts and storage in tries keyed by keccak256 (yellow paper 4.1). A value: `fold`
 * makes a new one. What was folded is held in memory until it is stored and the state opened anew at its root.
 */
export class TrieState implements ChainState {
  readonly #source: StateSource;
  readonly #trie: Trie;
  /** storage tries that were folded here, by address */
  readonly #storage: ReadonlyMap<string, Trie>;
  /** code that was folded here, by hash */
  readonly #code: ReadonlyMap<string, Uint8Array>;
  readonly #preimages: Preimages | undefined;

  private constructor(
    source: StateSource,
    trie: Trie,
    storage: ReadonlyMap<string, Trie>,
    code: ReadonlyMap<string, Uint8Array>,
    preimages?: Preimages,
  ) {
    this.#source = source;
    this.#trie = trie;
    this.#storage = storage;
    this.#code = code;
    this.#preimages = preimages;
  }

  /** @param root 32 bytes; {@link EMPTY_ROOT} for a state without accounts */
  static at(source: StateSource, root: Uint8Array): TrieState {
    return new TrieState(source, Trie.at(source, root), new Map(), new Map());
  }

  /** 32 bytes; the first look hashes what the last fold changed. */
  get root(): Uint8Array {
    return this.#trie.root;
  }

  getAccount(address: Address): AccountState | undefined {
    return this.#accountAt(keccak256(address.bytes));
  }

  /** @throws Error naming the code hash when the source lacks it */
  getCode(address: Address): Uint8Array {
    const account = this.getAccount(address);
    if (account === undefined || !hasCode(account)) return EMPTY_BYTES;
    const code = this.codeOf(account.codeHash);
    if (code === undefined) throw new Error(`missing code ${bytesToHex(account.codeHash)}`);
    return code;
  }

  /** Code that some account of the source has or had. */
  codeOf(hash: Uint8Array): Uint8Array | undefined {
    return this.#code.get(bytesToHex(hash)) ?? this.#source.getCode(hash);
  }

  getStorage(address: Address, slot: Uint8Array): Uint8Array {
    return this.#storageOf(address).getAs(keccak256(slot), decodeSlot) ?? EMPTY_BYTES;
  }

  /**
   * The state after the writes. Empty accounts are written as they are: EIP-161 is the executor's business. Slots of
   * accounts that don't exist are dropped.
   */
  fold(writes: StateWrites): TrieState {
    const storage = new Map(this.#storage);
    const leaves: [Uint8Array, Uint8Array | undefined][] = [];
    const hashed: [Uint8Array, Uint8Array][] = [];
    const change = (address: string, given: AccountState | undefined, slots: StorageWrites | undefined) => {
      const bytes = hexToBytes(address as PrefixedHexString);
      const key = keccak256(bytes);
      if (given === undefined) {
        storage.delete(address);
        leaves.push([key, undefined]);
        return;
      }
      const before = this.#accountAt(key);
      if (!before) hashed.push([key, bytes]);
      let storageRoot = slots?.cleared ? EMPTY_ROOT : (before?.storageRoot ?? EMPTY_ROOT);
      if (slots !== undefined) {
        const folded = slots.cleared ? undefined : storage.get(address);
        const trie = (folded ?? Trie.at(this.#source, storageRoot)).update(slotLeaves(slots, hashed));
        storageRoot = trie.root;
        // The last one written is the last in the list.
        storage.delete(address);
        storage.set(address, trie);
      }
      leaves.push([key, encodeAccount({ ...given, storageRoot })]);
    };
    for (const [address, account] of writes.accounts) change(address, account, writes.storage.get(address));
    for (const [address, slots] of writes.storage) {
      if (writes.accounts.has(address)) continue;
      const account = this.#accountAt(keccak256(hexToBytes(address as PrefixedHexString)));
      if (account !== undefined) change(address, account, slots);
    }
    const code = writes.code.size === 0 ? this.#code : new Map([...this.#code, ...writes.code]);
    const preimages = hashed.length > 0 ? { entries: hashed, earlier: this.#preimages } : this.#preimages;
    return new TrieState(this.#source, this.#trie.update(leaves), storage, code, preimages);
  }

  /** The trie of the accounts, for {@link StorageRun}. */
  get accountTrie(): Trie {
    return this.#trie;
  }

  /** The trie of an account's storage, for {@link StorageRun}. */
  storageTrie(address: Address): Trie {
    return this.#storageOf(address);
  }

  /** The state with other tries, which are or will be in the source. @param storage by address */
  withTries(accounts: Trie, storage: Iterable<readonly [string, Trie]>): TrieState {
    return new TrieState(this.#source, accounts, new Map([...this.#storage, ...storage]), new Map());
  }

  /** All that must be stored for `TrieState.at` to find this state. */
  unstored(): Unstored {
    const tries = [this.#trie, ...this.#storage.values()];
    const code = this.#code;
    const preimages = this.#preimages;
    return {
      nodes: (function* () {
        for (const trie of tries) yield* trie.unstored();
      })(),
      code: (function* () {
        for (const [hash, bytes] of code) yield [hexToBytes(hash as PrefixedHexString), bytes] as const;
      })(),
      preimages: (function* () {
        for (let part = preimages; part; part = part.earlier) yield* part.entries;
      })(),
    };
  }

  /**
   * The same state when what it had to store is where `source` reads, or on its way there: {@link unstored} of what is
   * folded onto it has only what is new. Its nodes stay in memory, where reads and the next folds find them.
   */
  settled(source: StateSource): TrieState {
    const settle = (trie: Trie) => trie.settled(source);
    const storage = [...this.#storage].map(([address, trie]) => [address, settle(trie)] as const);
    const held = storage.length > MAX_HELD_STORAGE ? storage.slice(-MAX_HELD_STORAGE / 2) : storage;
    return new TrieState(source, settle(this.#trie), new Map(held), new Map());
  }

  /** Nodes of the tries that are in memory: what was folded since the state was opened at its root. */
  get heldNodes(): number {
    const tries = [this.#trie, ...this.#storage.values()];
    return tries.reduce((sum, trie) => sum + trie.heldNodes, 0);
  }

  /** @param slots 32 bytes each */
  prove(address: Address, slots: readonly Uint8Array[]): StateProof {
    const account = this.getAccount(address);
    const trie = this.#storageOf(address);
    return {
      account,
      accountProof: this.#trie.prove(keccak256(address.bytes)),
      storageHash: account?.storageRoot ?? EMPTY_ROOT,
      storage: slots.map((slot) => ({
        slot,
        value: this.getStorage(address, slot),
        proof: trie.prove(keccak256(slot)),
      })),
    };
  }

  /** All accounts, in the order of their hashed addresses. */
  *accounts(): Iterable<readonly [hashedAddress: Uint8Array, account: AccountState]> {
    for (const [hash, leaf] of this.#trie.entries()) yield [hash, decodeAccount(leaf)];
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
    return this.#trie.getAs(key, decodeAccount);
  }

  #storageOf(address: Address): Trie {
    const folded = this.#storage.size > 0 ? this.#storage.get(address.toString()) : undefined;
    return folded ?? Trie.at(this.#source, this.getAccount(address)?.storageRoot ?? EMPTY_ROOT);
  }
}

/** @param hashed takes the slots that get a value, with their hashes */
function* slotLeaves(
  writes: StorageWrites,
  hashed: [Uint8Array, Uint8Array][],
): Iterable<[Uint8Array, Uint8Array | undefined]> {
  for (const [slot, value] of writes.slots) {
    const bytes = hexToBytes(slot as PrefixedHexString);
    const key = keccak256(bytes);
    if (value.length > 0) hashed.push([key, bytes]);
    yield [key, value.length === 0 ? undefined : encodeSlot(value)];
  }
}
