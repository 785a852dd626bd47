import type { Address } from '@ethereumjs/util';
import { encodeAccount, encodeSlot, stripZeros } from './account.ts';
import { hexKey } from './hex-key.ts';
import { keccak256 } from './keccak.ts';
import type { Trie } from './trie.ts';
import type { TrieState } from './trie-state.ts';
import type { AccountState } from './view.ts';

/** A write to one storage slot. */
export interface SlotWrite {
  readonly address: Address;
  /** 32 bytes */
  readonly slot: Uint8Array;
  /** zero deletes the slot */
  readonly value: Uint8Array;
}

/** A state, with the trie nodes and preimages to store for it. */
export interface WrittenSlots {
  readonly state: TrieState;
  readonly nodes: readonly (readonly [hash: Uint8Array, encoded: Uint8Array])[];
  readonly preimages: readonly (readonly [hash: Uint8Array, slot: Uint8Array])[];
}

interface Contract {
  /** keccak256 of the address */
  readonly key: Uint8Array;
  readonly account: AccountState;
  storage: Trie;
}

/**
 * Writes to the storage of a few accounts again and again, each time returning a new state: the work of thousands of
 * empty blocks. `TrieState.fold` does the same for any writes, with more overhead.
 */
export class StorageRun {
  /** by `0x` address */
  readonly #contracts = new Map<string, Contract>();
  #state: TrieState;

  /** @param state must be stored already */
  constructor(state: TrieState) {
    this.#state = state;
  }

  /** The next state. Store its nodes: they are marked as stored. @throws Error when an account doesn't exist */
  write(writes: readonly SlotWrite[]): WrittenSlots {
    const preimages: [Uint8Array, Uint8Array][] = [];
    const written = new Map<string, Contract>();
    for (const { address, slot, value } of writes) {
      const name = hexKey(address.bytes);
      const contract = this.#contract(name, address);
      const key = keccak256(slot);
      const bytes = stripZeros(value);
      if (bytes.length > 0) preimages.push([key, slot]);
      contract.storage = contract.storage.update([[key, bytes.length > 0 ? encodeSlot(bytes) : undefined]]);
      written.set(name, contract);
    }
    const accounts = this.#state.accountTrie.update(
      Array.from(written.values(), ({ key, account, storage }) => [
        key,
        encodeAccount({ ...account, storageRoot: storage.root }),
      ]),
    );
    const storage = Array.from(written, ([name, contract]) => [name, contract.storage] as const);
    const nodes = [accounts, ...storage.map(([, trie]) => trie)].flatMap((trie) => trie.takeUnstored());
    this.#state = this.#state.withTries(accounts, storage);
    return { state: this.#state, nodes, preimages };
  }

  #contract(name: string, address: Address): Contract {
    let contract = this.#contracts.get(name);
    if (!contract) {
      const account = this.#state.getAccount(address);
      if (!account) throw new Error(`no account ${address}`);
      contract = { key: keccak256(address.bytes), account, storage: this.#state.storageTrie(address) };
      this.#contracts.set(name, contract);
    }
    return contract;
  }
}
