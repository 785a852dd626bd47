import type { Address } from '@ethereumjs/util';
import { decodeAccount, encodeAccount, encodeSlot, stripZeros } from './account.ts';
import { hexKey } from './hex-key.ts';
import { keccak256 } from './keccak.ts';
import type { StateSource } from './node-cache.ts';
import { Trie } from './trie.ts';
import type { AccountState } from './view.ts';

/** A storage slot of an account and what it is to hold. */
export interface SlotWrite {
  readonly address: Address;
  /** 32 bytes */
  readonly slot: Uint8Array;
  /** zero deletes */
  readonly value: Uint8Array;
}

/** What a write adds to the stored states. */
export interface WrittenSlots {
  readonly nodes: readonly (readonly [hash: Uint8Array, encoded: Uint8Array])[];
  readonly preimages: readonly (readonly [hash: Uint8Array, slot: Uint8Array])[];
  /** of the state after it, 32 bytes */
  readonly root: Uint8Array;
}

interface Contract {
  /** keccak256 of its address */
  readonly key: Uint8Array;
  readonly account: AccountState;
  storage: Trie;
}

/**
 * Writes to the storage of a few accounts, one after the other, each making a state of its own: what thousands of empty
 * blocks do. `TrieState.fold` does the same for any writes, with more work around the tries.
 */
export class StorageRun {
  readonly #source: StateSource;
  /** by address */
  readonly #contracts = new Map<string, Contract>();
  #accounts: Trie;

  /** @param root of a stored state */
  constructor(source: StateSource, root: Uint8Array) {
    this.#source = source;
    this.#accounts = Trie.at(source, root);
  }

  /**
   * The next state, which counts as stored from now on.
   * @throws Error where an account doesn't exist
   */
  write(writes: readonly SlotWrite[]): WrittenSlots {
    const preimages: [Uint8Array, Uint8Array][] = [];
    const written = new Set<Contract>();
    for (const { address, slot, value } of writes) {
      const contract = this.#contract(address);
      const key = keccak256(slot);
      const bytes = stripZeros(value);
      if (bytes.length > 0) preimages.push([key, slot]);
      contract.storage = contract.storage.update([[key, bytes.length > 0 ? encodeSlot(bytes) : undefined]]);
      written.add(contract);
    }
    this.#accounts = this.#accounts.update(
      Array.from(written, ({ key, account, storage }) => [
        key,
        encodeAccount({ ...account, storageRoot: storage.root }),
      ]),
    );
    const { root } = this.#accounts;
    const tries = [this.#accounts, ...Array.from(written, ({ storage }) => storage)];
    return { root, nodes: tries.flatMap((trie) => trie.takeUnstored()), preimages };
  }

  #contract(address: Address): Contract {
    const name = hexKey(address.bytes);
    let contract = this.#contracts.get(name);
    if (!contract) {
      const key = keccak256(address.bytes);
      const account = this.#accounts.getAs(key, decodeAccount);
      if (!account) throw new Error(`no account ${address}`);
      contract = { key, account, storage: Trie.at(this.#source, account.storageRoot) };
      this.#contracts.set(name, contract);
    }
    return contract;
  }
}
