import { bytesToHex } from '@ethereumjs/util';
import type { OnProgress } from '../progress.ts';
import { type Pauses, turns } from '../turns.ts';
import { EMPTY_BYTES, EMPTY_ROOT, hasCode } from './account.ts';
import type { GenesisAccount, GenesisAlloc } from './genesis.ts';
import { hexKey } from './hex-key.ts';
import type { TrieState } from './trie-state.ts';
import type { AccountState } from './view.ts';

/** Buckets in which the accounts are put in order, by the first byte of their addresses. */
const BUCKETS = 256;
/** Slots between two looks at the clock. */
const STRIDE = 64;

/**
 * All accounts of a state, by `0x` address, in the order of the addresses. The state's trie is walked once. Lets other work
 * run in between.
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
  const buckets: { address: string; account: AccountState }[][] = Array.from({ length: BUCKETS }, () => []);
  for (const [hash, account] of state.accounts()) {
    const bytes = requirePreimage(hash);
    buckets[bytes[0]!]!.push({ address: hexKey(bytes), account });
    if (pauses.due) await pauses.pause();
  }
  for (const bucket of buckets) {
    bucket.sort((a, b) => (a.address < b.address ? -1 : 1));
    for (const { address, account } of bucket) {
      const { nonce, balance, codeHash } = account;
      let storage = NO_STORAGE;
      if (account.storageRoot !== EMPTY_ROOT) {
        const slots = new Map<string, Uint8Array>();
        storage = slots;
        for (const [hash, value] of state.storageOf(address, account)) {
          slots.set(hexKey(requirePreimage(hash)), value);
          if (slots.size % STRIDE === 0 && pauses.due) await pauses.pause();
        }
      }
      const code = hasCode(account) ? state.codeOf(codeHash) : EMPTY_BYTES;
      if (!code) throw new Error(`missing code ${bytesToHex(codeHash)}`);
      yield [address, { nonce, balance, code, storage }];
      if (pauses.due) await pauses.pause();
    }
    // They may be millions.
    bucket.length = 0;
  }
}

const NO_STORAGE: ReadonlyMap<string, Uint8Array> = new Map();

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
