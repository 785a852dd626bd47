import { Address, bytesToHex } from '@ethereumjs/util';
import type { GenesisAccount, GenesisAlloc } from './genesis.ts';
import type { TrieState } from './trie-state.ts';

/** slots read at a time */
const PAGE = 1_000;

/**
 * A whole state as an allocation, which makes the same state root.
 * @param preimageOf what hashes to a key of the trie
 * @throws Error where that isn't known: the state is older than the index of addresses
 */
export function allocOfState(
  state: TrieState,
  preimageOf: (hash: Uint8Array) => Uint8Array | undefined,
): GenesisAlloc {
  const known = (hash: Uint8Array): Uint8Array => {
    const preimage = preimageOf(hash);
    if (!preimage) throw new Error(`nothing known hashes to ${bytesToHex(hash)}`);
    return preimage;
  };
  const alloc = new Map<string, GenesisAccount>();
  for (const [hash, { nonce, balance }] of state.accounts()) {
    const address = new Address(known(hash));
    const storage = new Map<string, Uint8Array>();
    for (let start: Uint8Array | undefined = new Uint8Array(32); start; ) {
      const range = state.storageEntries(address, start, PAGE);
      for (const { hashedSlot, value } of range.entries) storage.set(bytesToHex(known(hashedSlot)), value);
      start = range.next;
    }
    alloc.set(address.toString(), { nonce, balance, code: state.getCode(address), storage });
  }
  return alloc;
}
