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

/** A proof as `eth_getProof` returns it (EIP-1186). Nodes are RLP, from the root down. */
export interface StateProof {
  /** `undefined`: the proof shows that the account doesn't exist */
  readonly account: AccountState | undefined;
  readonly accountProof: readonly Uint8Array[];
  readonly storageHash: Uint8Array;
  readonly storage: readonly {
    readonly slot: Uint8Array;
    readonly value: Uint8Array;
    readonly proof: readonly Uint8Array[];
  }[];
}

/** Addresses and slots that folds hashed, as a linked list, the newest fold first. */
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

/** Maximum of storage tries in memory, as each fold copies the map. Beyond it, the newest half stays. */
const MAX_HELD_STORAGE = 64;

/**
 * A complete state under one root: accounts and storage in tries keyed by keccak256 (yellow paper 4.1). Immutable:
 * `fold` returns a new state. Folded nodes stay in memory until they are stored and the state is opened again at its
 * root.
 */
export class TrieState implements ChainState {
  readonly #source: StateSource;
  readonly #trie: Trie;
  /** storage tries that folds changed, by `0x` address */
  readonly #storage: ReadonlyMap<string, Trie>;
  /** code that folds set, by `0x` hash */
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

  /** 32 bytes. The first read after a fold hashes the changed nodes. */
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

  /** Code by its hash, whichever account has or had it; `undefined` when neither a fold nor the source has it. */
  codeOf(hash: Uint8Array): Uint8Array | undefined {
    return this.#code.get(bytesToHex(hash)) ?? this.#source.getCode(hash);
  }

  getStorage(address: Address, slot: Uint8Array): Uint8Array {
    return this.#storageOf(address).getAs(keccak256(slot), decodeSlot) ?? EMPTY_BYTES;
  }

  /**
   * The state after the writes. Empty accounts are written too: removing them (EIP-161) is up to the code that
   * executes transactions. Slots of accounts that don't exist are dropped.
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
        // Deleted first, so that the most recently written trie is the last one in the map.
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

  /** The state with other tries, whose nodes are or will be in the source. @param storage by `0x` address */
  withTries(accounts: Trie, storage: Iterable<readonly [string, Trie]>): TrieState {
    return new TrieState(this.#source, accounts, new Map([...this.#storage, ...storage]), new Map());
  }

  /** All that must be stored before `TrieState.at` can open this state. */
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
   * The same state with its nodes marked as stored, for when the result of {@link unstored} is in `source` or on its
   * way there: {@link unstored} of later folds then returns only what they add. The nodes stay in memory for reads
   * and for the next folds.
   */
  settled(source: StateSource): TrieState {
    const settle = (trie: Trie) => trie.settled(source);
    const storage = [...this.#storage].map(([address, trie]) => [address, settle(trie)] as const);
    const held = storage.length > MAX_HELD_STORAGE ? storage.slice(-MAX_HELD_STORAGE / 2) : storage;
    return new TrieState(source, settle(this.#trie), new Map(held), new Map());
  }

  /** Number of trie nodes in memory: those folded since the state was opened at its root. */
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

/** @param hashed receives each slot that is set to a value, with its hash */
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
