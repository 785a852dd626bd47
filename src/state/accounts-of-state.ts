import { bytesToHex } from '@ethereumjs/util';
import type { OnProgress } from '../progress.ts';
import { type Pauses, turns } from '../turns.ts';
import { decodeAccount, EMPTY_BYTES, EMPTY_ROOT, hasCode } from './account.ts';
import type { GenesisAccount, GenesisAlloc } from './genesis.ts';
import { hexKey } from './hex-key.ts';
import type { TrieState } from './trie-state.ts';

/** Buckets in which the accounts are put in order, by the first two bytes of their addresses: few have more than some accounts. */
const BUCKETS = 2 ** 16;
/** Slots or accounts between two looks at the clock. */
const STRIDE = 8;
/** Accounts that are handed on together, and slots of one that is handed on at once. */
const MANY = 64;

type Listed = readonly [address: string, account: GenesisAccount];

/**
 * All accounts of a state, by `0x` address, in the order of the addresses, some at a time. The state's trie is walked once. Lets
 * other work run in between.
 * @param preimageOf returns the address or slot with the given keccak256
 * @param pauses may end it; default: those of background work without a caller
 * @throws Error when a preimage isn't known: the state was written before preimages were stored
 */
export async function* accountsOf(
  state: TrieState,
  preimageOf: (hash: Uint8Array) => Uint8Array | undefined,
  pauses: Pauses = turns,
): AsyncGenerator<readonly Listed[]> {
  const requirePreimage = (hash: Uint8Array): Uint8Array => {
    const preimage = preimageOf(hash);
    if (!preimage) throw new Error(`nothing known hashes to ${bytesToHex(hash)}`);
    return preimage;
  };
  let count = 0;
  const isDue = () => ++count % STRIDE === 0 && pauses.due;
  const found = new Leaves();
  for (const [hash, leaf] of state.accounts()) {
    found.add(requirePreimage(hash), leaf);
    if (isDue()) await pauses.pause();
  }
  let listed: Listed[] = [];
  const places = found.places();
  for (let place = 0; place < BUCKETS; place++) {
    const bucket = found.inOrder(places, place);
    for (const index of bucket) {
      const address = hexKey(found.addressOf(index));
      const account = decodeAccount(found.leafOf(index));
      const { nonce, balance, codeHash } = account;
      let storage = NO_STORAGE;
      if (account.storageRoot !== EMPTY_ROOT) {
        const slots = new Map<string, Uint8Array>();
        storage = slots;
        for (const [hash, value] of state.storageOf(address, account)) {
          slots.set(hexKey(requirePreimage(hash)), value);
          if (isDue()) await pauses.pause();
        }
      }
      const code = hasCode(account) ? state.codeOf(codeHash) : EMPTY_BYTES;
      if (!code) throw new Error(`missing code ${bytesToHex(codeHash)}`);
      listed.push([address, { nonce, balance, code, storage }]);
      if (isDue()) await pauses.pause();
      // One may have a large storage.
      if (listed.length < MANY && storage.size < MANY) continue;
      yield listed;
      listed = [];
    }
  }
  yield listed;
}

/** Bytes of an address. */
const ADDRESS = 20;

/** Accounts as they are encoded, in two arrays: with an object for each of them, the garbage collector takes as long as all else. */
class Leaves {
  #addresses = new Uint8Array(2 ** 12 * ADDRESS);
  #leaves = new Uint8Array(2 ** 18);
  /** where the leaf behind each one begins */
  #ends = new Uint32Array(2 ** 12);
  #count = 0;
  #end = 0;

  add(address: Uint8Array, leaf: Uint8Array): void {
    const index = this.#count++;
    if (index === this.#ends.length) {
      this.#addresses = grown(this.#addresses, 2 * this.#addresses.length);
      const ends = new Uint32Array(2 * this.#ends.length);
      ends.set(this.#ends);
      this.#ends = ends;
    }
    const end = this.#end + leaf.length;
    if (end > this.#leaves.length) this.#leaves = grown(this.#leaves, 2 * end);
    this.#addresses.set(address, index * ADDRESS);
    this.#leaves.set(leaf, this.#end);
    this.#ends[index] = end;
    this.#end = end;
  }

  addressOf(index: number): Uint8Array {
    return this.#addresses.subarray(index * ADDRESS, (index + 1) * ADDRESS);
  }

  /** A copy: who has the account may have it for long. */
  leafOf(index: number): Uint8Array {
    return this.#leaves.slice(index === 0 ? 0 : this.#ends[index - 1], this.#ends[index]);
  }

  /** The numbers of the accounts by the first two bytes of their addresses, and where those of each two bytes begin. */
  places(): { readonly indices: Uint32Array; readonly starts: Uint32Array } {
    const starts = new Uint32Array(BUCKETS + 1);
    for (let i = 0; i < this.#count; i++) starts[this.#placeOf(i) + 1]!++;
    for (let place = 0; place < BUCKETS; place++) starts[place + 1]! += starts[place]!;
    const next = starts.slice();
    const indices = new Uint32Array(this.#count);
    for (let i = 0; i < this.#count; i++) indices[next[this.#placeOf(i)]!++] = i;
    return { indices, starts };
  }

  /** The numbers of the accounts of one place, in the order of their addresses. */
  inOrder({ indices, starts }: ReturnType<Leaves['places']>, place: number): Uint32Array {
    const bucket = indices.subarray(starts[place], starts[place + 1]);
    return bucket.length < 2
      ? bucket
      : bucket.sort((a, b) => Buffer.compare(this.addressOf(a), this.addressOf(b)));
  }

  #placeOf(index: number): number {
    return this.#addresses[index * ADDRESS]! * 2 ** 8 + this.#addresses[index * ADDRESS + 1]!;
  }
}

function grown(bytes: Uint8Array, length: number): Uint8Array<ArrayBuffer> {
  const larger = new Uint8Array(length);
  larger.set(bytes);
  return larger;
}

const NO_STORAGE: ReadonlyMap<string, Uint8Array> = new Map();

/** A complete state as a genesis allocation with the same state root. Errors as {@link accountsOf}. */
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
