import { bytesToHex } from '@ethereumjs/util';
import type { OnProgress } from '../progress.ts';
import { type Pauses, turns } from '../turns.ts';
import { EMPTY_BYTES, EMPTY_ROOT, hasCode } from './account.ts';
import type { GenesisAccount, GenesisAlloc } from './genesis.ts';
import { hexKey, latin1Key } from './hex-key.ts';
import { Generations } from './node-cache.ts';
import type { TrieState } from './trie-state.ts';
import type { AccountState } from './view.ts';

/** Buckets for sorting accounts, one per value of the first two bytes of an address; most contain only a few accounts. */
const BUCKETS = 2 ** 16;
/** Number of slots or accounts between two checks of the clock. */
const STRIDE = 8;
/** Accounts are yielded in lists of this length; an account with this many slots ends a list early. */
const MANY = 64;
/** Slots whose keys are kept at hand: many contracts have the same first ones. */
const SLOTS = 4_096;

type Listed = readonly [address: string, account: GenesisAccount];

/**
 * All accounts of a state by `0x` address, in the order of their addresses, in lists. Walks the state trie once. Lets other work run in
 * between.
 * @param preimageOf returns the address or slot with the given keccak256
 * @param pauses may end the walk; default: those of background work that no caller waits for
 * @throws Error when a preimage isn't known: the state was written before preimages were stored
 */
export async function* accountsOf(
  state: TrieState,
  preimageOf: (hash: Uint8Array) => Uint8Array | undefined,
  pauses: Pauses = turns,
): AsyncGenerator<readonly Listed[]> {
  const requirePreimage = (hash: Uint8Array): Uint8Array => {
    const preimage = preimageOf(hash);
    if (!preimage) throw new Error(`the preimage of ${bytesToHex(hash)} is not known`);
    return preimage;
  };
  const slotKeys = new Generations<string, `0x${string}`>(SLOTS, () => 1);
  const slotKeyOf = (hash: Uint8Array) => {
    const key = latin1Key(hash);
    let slot = slotKeys.get(key);
    if (slot === undefined) {
      slot = hexKey(requirePreimage(hash));
      slotKeys.add(key, slot);
    }
    return slot;
  };
  let count = 0;
  const isDue = () => ++count % STRIDE === 0 && pauses.due;
  const buckets: { address: string; account: AccountState }[][] = new Array(BUCKETS);
  for (const [hash, account] of state.accounts()) {
    const bytes = requirePreimage(hash);
    const place = bytes[0]! * 2 ** 8 + bytes[1]!;
    buckets[place] ??= [];
    buckets[place].push({ address: hexKey(bytes), account });
    if (isDue()) await pauses.pause();
  }
  let listed: Listed[] = [];
  for (let place = 0; place < BUCKETS; place++) {
    const bucket = buckets[place];
    if (!bucket) continue;
    if (bucket.length > 1) bucket.sort((a, b) => (a.address < b.address ? -1 : 1));
    for (const { address, account } of bucket) {
      const { nonce, balance, codeHash } = account;
      let storage = NO_STORAGE;
      if (account.storageRoot !== EMPTY_ROOT) {
        const slots = new Map<string, Uint8Array>();
        storage = slots;
        for (const [hash, value] of state.storageOf(address, account)) {
          slots.set(slotKeyOf(hash), value);
          if (isDue()) await pauses.pause();
        }
      }
      const code = hasCode(account) ? state.codeOf(codeHash) : EMPTY_BYTES;
      if (!code) throw new Error(`missing code ${bytesToHex(codeHash)}`);
      listed.push([address, { nonce, balance, code, storage }]);
      if (isDue()) await pauses.pause();
      // A single account may have a large storage.
      if (listed.length < MANY && storage.size < MANY) continue;
      yield listed;
      listed = [];
    }
    // Frees memory: there may be millions of accounts.
    bucket.length = 0;
  }
  yield listed;
}

const NO_STORAGE: ReadonlyMap<string, Uint8Array> = new Map();

/** A complete state as a genesis allocation with the same state root. @throws like {@link accountsOf} */
export async function genesisAllocOf(
  state: TrieState,
  preimageOf: (hash: Uint8Array) => Uint8Array | undefined,
  onProgress?: OnProgress,
): Promise<GenesisAlloc> {
  const alloc = new Map<string, GenesisAccount>();
  for await (const accounts of accountsOf(state, preimageOf)) {
    for (const [address, account] of accounts) alloc.set(address, account);
    onProgress?.({ task: 'Exporting the state', done: alloc.size, unit: 'accounts' });
  }
  return alloc;
}
