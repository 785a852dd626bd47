import { Address, bytesToHex } from '@ethereumjs/util';
import type { ChainState } from './chain-state.ts';
import { hexKey, keyBytes } from './hex-key.ts';
import { MemorySource, type StateSource, type Unstored } from './node-cache.ts';
import { TrieState } from './trie-state.ts';
import type { AccountState, StateView, StateWrites } from './view.ts';

/** The parts of a state that were read. */
export interface StateReads {
  /** RLP of trie nodes */
  readonly nodes: readonly Uint8Array[];
  readonly codes: readonly Uint8Array[];
  /** the preimages of the trie keys: addresses, each followed by the slots of its account */
  readonly keys: readonly Uint8Array[];
}

/**
 * A state that records everything that is read from it: keys, trie nodes and code. States that `fold` derives from it read their
 * nodes from it too, so that the nodes needed to compute a new root are recorded as well.
 */
export class RecordedState implements ChainState {
  readonly #state: TrieState;
  /** by hash */
  readonly #nodes = new Map<string, Uint8Array>();
  readonly #codes = new Map<string, Uint8Array>();
  /** slots by address */
  readonly #keys = new Map<string, Set<string>>();

  constructor(state: TrieState) {
    const unstored = new MemorySource();
    if (!state.isStored) unstored.store(state.unstored());
    const kept = (found: Uint8Array | undefined, hash: Uint8Array, into: Map<string, Uint8Array>) => {
      if (found) into.set(bytesToHex(hash), found);
      return found;
    };
    const source: StateSource = {
      getNode: (hash) => kept(unstored.getNode(hash) ?? state.getNode(hash), hash, this.#nodes),
      getCode: (hash) => kept(unstored.getCode(hash) ?? state.codeOf(hash), hash, this.#codes),
    };
    this.#state = TrieState.at(source, state.root);
  }

  get root(): Uint8Array {
    return this.#state.root;
  }

  get heldNodes(): number {
    return this.#state.heldNodes;
  }

  /** Everything that was read so far. */
  get reads(): StateReads {
    const keys = [...this.#keys].flatMap(([address, slots]) => [address, ...slots]);
    return { nodes: [...this.#nodes.values()], codes: [...this.#codes.values()], keys: keys.map(keyBytes) };
  }

  getAccount(address: Address): AccountState | undefined {
    this.#slotsOf(address);
    return this.#state.getAccount(address);
  }

  getCode(address: Address): Uint8Array {
    this.#slotsOf(address);
    return this.#state.getCode(address);
  }

  getStorage(address: Address, slot: Uint8Array): Uint8Array {
    this.#slotsOf(address).add(hexKey(slot));
    // A reader that has only the recorded nodes must read the account first, to find its storage root.
    this.#state.getAccount(address);
    return this.#state.getStorage(address, slot);
  }

  fold(writes: StateWrites): ChainState {
    for (const address of writes.accounts.keys()) this.#slotsOf(new Address(keyBytes(address)));
    for (const [address, { slots }] of writes.storage) {
      const known = this.#slotsOf(new Address(keyBytes(address)));
      for (const slot of slots.keys()) known.add(slot);
    }
    return this.#state.fold(writes);
  }

  /**
   * Also records the sibling nodes that are needed to remove keys: code that removes keys before it sets others needs more nodes than
   * code that sets them first.
   */
  readRemoving({ accounts, storage }: StateWrites): void {
    const emptied = [...storage].flatMap(([address, { slots }]) => {
      const removed = [...slots].filter(([, value]) => value.length === 0);
      return removed.length === 0 ? [] : [[address, { cleared: false, slots: new Map(removed) }] as const];
    });
    const removed = {
      accounts: new Map([...accounts].filter(([, account]) => !account)),
      storage: new Map(emptied),
      code: new Map<string, Uint8Array>(),
    };
    // Computing the root reads all these nodes.
    void this.#state.fold(removed).root;
  }

  unstored(): Unstored {
    return this.#state.unstored();
  }

  asStored(): never {
    throw new Error('nothing is built on a state that is recorded');
  }

  #slotsOf(address: Address): Set<string> {
    const key = hexKey(address.bytes);
    let slots = this.#keys.get(key);
    if (!slots) {
      slots = new Set();
      this.#keys.set(key, slots);
    }
    return slots;
  }
}

/** Whether a state is in tries that can be recorded. */
export function isInTries(state: StateView): state is TrieState {
  return state instanceof TrieState;
}
