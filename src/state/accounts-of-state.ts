import { Address, bytesToHex } from '@ethereumjs/util';
import type { OnProgress } from '../progress.ts';
import { giveWay, type Pauses, turns } from '../turns.ts';
import type { GenesisAccount, GenesisAlloc } from './genesis.ts';
import type { TrieState } from './trie-state.ts';

/** slots read at once */
const PAGE = 1_000;

/**
 * All accounts of a state, by `0x` address, in the order of the addresses. Lets other work run in between.
 * @param preimageOf returns the address or slot with the given keccak256
 * @param pauses may end it; default: those of background work without a caller
 * @throws Error when a preimage isn't known: the state was written before preimages were stored
 */
export async function* accountsOf(
  state: TrieState,
  preimageOf: (hash: Uint8Array) => Uint8Array | undefined,
  pauses: Pauses = turns,
): AsyncGenerator<readonly [address: string, account: GenesisAccount]> {
  const requirePreimage = (hash: Uint8Array): Uint8Array => {
    const preimage = preimageOf(hash);
    if (!preimage) throw new Error(`nothing known hashes to ${bytesToHex(hash)}`);
    return preimage;
  };
  const addresses: Uint8Array[] = [];
  for (const [hash] of state.accounts()) {
    addresses.push(requirePreimage(hash));
    await giveWay(pauses);
  }
  addresses.sort(Buffer.compare);
  for (const bytes of addresses) {
    const address = new Address(bytes);
    const { nonce, balance } = state.getAccount(address)!;
    const storage = new Map<string, Uint8Array>();
    for (let start: Uint8Array | undefined = new Uint8Array(32); start; ) {
      const range = state.storageEntries(address, start, PAGE);
      for (const { hashedSlot, value } of range.entries)
        storage.set(bytesToHex(requirePreimage(hashedSlot)), value);
      start = range.next;
      await giveWay(pauses);
    }
    yield [address.toString(), { nonce, balance, code: state.getCode(address), storage }];
  }
}

/** A complete state as a genesis allocation with the same state root. Errors as {@link accountsOf}. */
export async function genesisAllocOf(
  state: TrieState,
  preimageOf: (hash: Uint8Array) => Uint8Array | undefined,
  onProgress?: OnProgress,
): Promise<GenesisAlloc> {
  const alloc = new Map<string, GenesisAccount>();
  for await (const [address, account] of accountsOf(state, preimageOf)) {
    alloc.set(address, account);
    onProgress?.({ task: 'Exporting the state', done: alloc.size, unit: 'accounts' });
  }
  return alloc;
}
